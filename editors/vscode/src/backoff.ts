/** How long to wait before a server that ended is started again. */

const FIRST = 1_000;
const LONGEST = 30_000;
const MOST = 5;
const FORGIVEN_AFTER = 180_000;

export class Backoff {
  private ends: number[] = [];

  /** @param now milliseconds since any fixed time */
  constructor(private readonly now: () => number = Date.now) {}

  /** The server ended by itself. Returns milliseconds to wait, undefined when it is time to give up. */
  ended(): number | undefined {
    const present = this.now();
    this.ends = this.ends.filter((it) => present - it < FORGIVEN_AFTER);
    this.ends.push(present);
    if (this.ends.length > MOST) return undefined;
    return Math.min(FIRST * 2 ** (this.ends.length - 1), LONGEST);
  }

  /** The user has asked for a new start. */
  reset(): void {
    this.ends = [];
  }
}
