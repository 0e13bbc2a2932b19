// Made from the Python messages by python -m tools.generated --write.
import type { ChanceLine, Changed, Hello, SeatLine, Statistics, TableLine } from "./protocol";

// What the host leaves out because it goes without saying; net/received.ts puts it back.
export const TABLE_DEFAULTS: Required<Pick<TableLine, "paused" | "clock" | "pace" | "chance" | "lesson" | "visibility" | "watchable" | "spectators_speak" | "spectators_silenced" | "wishes" | "missing" | "absence" | "plays_on" | "waiting" | "ended" | "winner" | "scores" | "rematch" | "rated" | "unrated">> = {"paused":false,"clock":null,"pace":"normal","chance":"host","lesson":"","visibility":"unlisted","watchable":true,"spectators_speak":false,"spectators_silenced":false,"wishes":{},"missing":{},"absence":120.0,"plays_on":false,"waiting":false,"ended":null,"winner":null,"scores":null,"rematch":null,"rated":false,"unrated":""};
export const SEAT_DEFAULTS: Required<Pick<SeatLine, "name" | "player" | "away" | "resigned" | "silenced" | "reserved" | "long_gone" | "kick_wishes" | "kick_missing">> = {"name":"","player":null,"away":false,"resigned":false,"silenced":false,"reserved":"","long_gone":false,"kick_wishes":[],"kick_missing":[]};
export const HELLO_DEFAULTS: Required<Pick<Hello, "muted" | "dice" | "warming">> = {"muted":[],"dice":null,"warming":false};
export const CHANGED_DEFAULTS: Required<Pick<Changed, "muted" | "by" | "dice">> = {"muted":[],"by":null,"dice":null};
export const CHANCE_DEFAULTS: Required<Pick<ChanceLine, "bots" | "clock" | "without">> = {"bots":true,"clock":true,"without":[]};
export const STATISTICS_DEFAULTS: Required<Pick<Statistics, "compiled">> = {"compiled":1.0};
