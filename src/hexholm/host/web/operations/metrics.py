"""Figures for Prometheus, at /metrics: how much, how long, how often not. No names of people or tables."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

TIMES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
FigureReader = Callable[[], dict[str, float]]


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        more: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("hexholm_requests", "REST requests", ["route", "method", "status"], **more)
        self.request_seconds = Histogram("hexholm_request_seconds", "Time of a REST request", buckets=TIMES, **more)
        self.commands = LoopCounter("hexholm_commands", "Commands at tables", ("kind", "result"), **more)
        self.command_seconds = LoopHistogram(
            "hexholm_command_seconds", "From a command to its answer", buckets=TIMES, **more
        )
        self.sockets = Gauge("hexholm_sockets", "Sockets that are open", **more)
        self.opened = Counter("hexholm_sockets_opened", "Sockets that greeted", ["how"], **more)
        self.closed = Counter("hexholm_sockets_closed", "Sockets that ended", ["why"], **more)
        self.sent = LoopCounter("hexholm_messages_sent", "Messages to guests", **more)
        self.unread = Histogram(
            "hexholm_messages_waiting",
            "Messages that waited for a reader when one more came",
            buckets=(0, 1, 2, 4, 8, 16, 32, 64, 128, 256),
            **more,
        )
        self.turned_away = Counter("hexholm_turned_away", "Requests refused at the door", ["why"], **more)
        self.lag = Gauge("hexholm_loop_lag_seconds", "How late the event loop is", **more)

    def watch(self, name: str, text: str, label: str, read: FigureReader) -> None:
        """A gauge that is read when it is asked for."""
        self.registry.register(_FigureCollector(GaugeMetricFamily, name, text, label, read))

    def count(self, name: str, text: str, label: str, read: FigureReader) -> None:
        """A counter that is read when it is asked for."""
        self.registry.register(_FigureCollector(CounterMetricFamily, name, text, label, read))

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)


class LoopCounter:
    """A counter without locks, for what every command counts: on the event loop alone."""

    def __init__(self, name: str, text: str, labels: Sequence[str] = (), *, registry: CollectorRegistry) -> None:
        self._name, self._text, self._labels = name, text, labels
        self._totals: dict[tuple[str, ...], int] = {} if labels else {(): 0}
        registry.register(self)

    def inc(self, number: int = 1, *label_values: str) -> None:
        """So many more, with a value for each label."""
        self._totals[label_values] = self._totals.get(label_values, 0) + number

    def describe(self) -> Iterator[Metric]:
        """Its name."""
        yield CounterMetricFamily(self._name, self._text, labels=self._labels)

    def collect(self) -> Iterator[Metric]:
        """The numbers now."""
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for label_values, total in self._totals.items():
            family.add_metric(label_values, total)
        yield family


class LoopHistogram:
    """A histogram without locks, for the event loop alone."""

    def __init__(self, name: str, text: str, *, buckets: Sequence[float], registry: CollectorRegistry) -> None:
        self._name, self._text, self._buckets = name, text, buckets
        self._counts, self._sum = [0] * (len(buckets) + 1), 0.0
        registry.register(self)

    def observe(self, amount: float) -> None:
        """One more, of this size."""
        self._counts[bisect_left(self._buckets, amount)] += 1
        self._sum += amount

    def describe(self) -> Iterator[Metric]:
        """Its name."""
        yield HistogramMetricFamily(self._name, self._text)

    def collect(self) -> Iterator[Metric]:
        """How many there are up to each size."""
        family = HistogramMetricFamily(self._name, self._text)
        names = [*(str(float(most)) for most in self._buckets), "+Inf"]
        family.add_metric([], [*zip(names, accumulate(self._counts), strict=True)], self._sum)
        yield family


class _FigureCollector:
    """Figures that somebody else keeps."""

    def __init__(self, family: Any, name: str, text: str, label: str, read: FigureReader) -> None:
        self._family, self._name, self._text, self._label, self._read = family, name, text, label, read

    def describe(self) -> Iterator[Metric]:
        """Its name, without reading it."""
        yield self._family(self._name, self._text, labels=[self._label])

    def collect(self) -> Iterator[Metric]:
        """The figures now."""
        family = self._family(self._name, self._text, labels=[self._label])
        for value, figure in self._read().items():
            family.add_metric([value], figure)
        yield family


CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
