// What is read aloud to those who do not see the page: what happens, as it happens. One place says it, whatever of the
// page is shown: a log that is filtered, or in a sheet that is closed, is heard all the same.

const MOST = 20;

export class Announcer {
  /** The latest; older ones were said long ago. */
  lines = $state.raw<{ id: number; text: string }[]>([]);
  /** How many were said so far. */
  count = 0;

  say(...texts: string[]): void {
    if (texts.length) this.lines = [...this.lines, ...texts.map((text) => ({ id: ++this.count, text }))].slice(-MOST);
  }
}
