// A player in JavaScript: a program that reads and writes lines of JSON (docs/how-to/write-a-bot.md).
//
//     hexholm tournament builder easy easy easy --games 40 --program 'builder=node examples/bot.js'

const PROTOCOL = "hexholm-bot-1";
const LIKES = ["city", "settlement", "buy", "knight", "road", "roll", "reject", "discard", "robber", "steal", "end"];
const DOTS = { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1 };

let seat = null;
let board = {};

// A hex is worth the dots on its number. (What a corner touches is for you to work out: docs/formats/places.md.)
function worth(action) {
  const [kind, place] = action.split(" ");
  if (kind !== "robber" || !board.hexes[place]) return 0;
  return DOTS[board.hexes[place][1]] || 0;
}

function choose(message) {
  for (const kind of LIKES) {
    const wanted = message.legal.filter((action) => action.split(" ")[0] === kind);
    if (wanted.length) return wanted.reduce((best, action) => (worth(action) > worth(best) ? action : best));
  }
  return message.legal[0];
}

function heard(message) {
  if (message.type === "hello") return { type: "hello", protocol: PROTOCOL, name: "builder" };
  if (message.type === "game") {
    seat = message.seat; // remarks go to standard error: console.error(`I play ${seat}`)
    board = message.board;
    return null;
  }
  if (message.type === "choose") return { id: message.id, action: choose(message) };
  return null; // a kind of message that came later than this program
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const answer = heard(JSON.parse(line));
    if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
  });
