// A player in JavaScript: a program that reads and writes lines of JSON (docs/how-to/write-a-bot.md).
//
//     hexholm tournament builder random random random --games 40 --program 'builder=node examples/bot.js'

const PROTOCOL = "hexholm-bot-1";
const LIKES = ["city", "settlement", "buy", "knight", "road", "supply", "roll", "reject", "discard", "robber", "steal"];
const DOTS = { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1 };
const POINTS = { n: [0, -2], ne: [1, -1], se: [1, 1], s: [0, 2], sw: [-1, 1], nw: [-1, -1] };

let dots = {}; // of a hex by its name, of a corner by its spot

// Where a corner lies, the same by all its names: rows of hexes are 3 apart, hexes in a row 2 (docs/formats/places.md).
function spot(corner) {
  const row = "ABCDE".indexOf(corner[0]);
  const [x, y] = POINTS[corner.slice(2)];
  return `${2 * corner[1] + Math.abs(row - 2) + x},${3 * row + y}`;
}

// A hex is worth the dots on its number, a corner those of all the hexes that it touches.
function look(board) {
  dots = {};
  for (const [hex, [, number]] of Object.entries(board.hexes)) {
    dots[hex] = DOTS[number] || 0; // the desert has none
    for (const point of Object.keys(POINTS)) dots[spot(hex + point)] = (dots[spot(hex + point)] || 0) + dots[hex];
  }
}

function worth(action, hand) {
  const words = action.split(" "); // "city B2se", "robber C3", "supply 4 wool : 1 ore"
  if (words[0] === "settlement" || words[0] === "city") return dots[spot(words[1])];
  if (words[0] === "supply") return hand[words.at(-1)] ? -1 : 0; // only for what it has none of
  return words[0] === "robber" ? dots[words[1]] : 0; // it may well rob itself: look at message.view.players
}

function choose(message) {
  const of = (action) => worth(action, message.view.hand);
  for (const kind of LIKES) {
    const wanted = message.legal.filter((action) => action.split(" ")[0] === kind && of(action) >= 0);
    if (wanted.length) return wanted.reduce((best, action) => (of(action) > of(best) ? action : best));
  }
  return message.legal.includes("end") ? "end" : message.legal[0];
}

function heard(message) {
  if (message.type === "hello") return { type: "hello", protocol: PROTOCOL, name: "builder" };
  if (message.type === "game") look(message.board); // remarks go to standard error: console.error(message.seat)
  if (message.type === "choose") return { id: message.id, action: choose(message) };
  return null; // a game wants no answer, nor does a kind of message that came later than this program
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const answer = heard(JSON.parse(line));
    if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
  });
