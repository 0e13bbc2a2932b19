"""Figures for Prometheus, at /metrics: how much, how long, how often not. No names of people or tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

TIMES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
FigureReader = Callable[[], dict[str, float]]


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        more: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("hexholm_requests", "REST requests", ["route", "method", "status"], **more)
        self.request_seconds = Histogram("hexholm_request_seconds", "Time of a REST request", buckets=TIMES, **more)
        self.commands = Counter("hexholm_commands", "Commands at tables", ["kind", "result"], **more)
        self.command_seconds = Histogram(
            "hexholm_command_seconds", "From a command to its answer", buckets=TIMES, **more
        )
        self.sockets = Gauge("hexholm_sockets", "Sockets that are open", **more)
        self.opened = Counter("hexholm_sockets_opened", "Sockets that greeted", ["how"], **more)
        self.closed = Counter("hexholm_sockets_closed", "Sockets that ended", ["why"], **more)
        self.sent = Counter("hexholm_messages_sent", "Messages to guests", **more)
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
