// The clock that all recordings follow: simulated time, and the ticks at which one of them has a
// frame.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

// Two recordings may round the same time differently; ticks closer than this are merged [s].
const SAME = 1e-6;

export class Clock {
  constructor() {
    this.ticks = [0];
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.isWaiting = false;
    this.loops = true;
  }

  // Sets the times of all frames.
  setTicks(lists) {
    const all = lists.length === 1 ? lists[0] : lists.flat().sort((a, b) => a - b);
    const isNew = (time, k) => k === 0 || time - all[k - 1] > SAME;
    this.ticks = lists.length === 1 ? all : all.filter(isNew);
    if (this.ticks.length === 0) this.ticks = [0];
    this.time = Math.min(this.time, this.end);
  }

  get end() {
    return this.ticks[this.ticks.length - 1];
  }

  get isAtEnd() {
    return this.time >= this.end - SAME;
  }

  // Index of the tick that is shown now.
  get tick() {
    let [low, high] = [0, this.ticks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ticks[middle] <= this.time + SAME) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  toTick(tick) {
    this.time = this.ticks[Math.max(0, Math.min(this.ticks.length - 1, tick))];
  }

  toTime(time) {
    this.time = Math.max(0, Math.min(this.end, time));
  }

  step(count) {
    this.isPlaying = false;
    this.toTick(this.tick + count);
  }

  toggle() {
    this.isPlaying = !this.isPlaying;
    if (this.isPlaying && this.isAtEnd && !this.follows) this.time = 0;
  }

  changeSpeed(steps) {
    const at = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + steps))];
  }

  // Advances by this many seconds of wall time. `follows` tells whether the end advances as well.
  advance(seconds, follows) {
    this.follows = follows;
    if (!this.isPlaying || this.isWaiting) return;
    this.time += seconds * this.speed;
    // The last frame is shown as long as the others before the loop restarts.
    const last = this.ticks.length > 1 ? this.end - this.ticks[this.ticks.length - 2] : 0;
    if (follows) {
      this.time = Math.min(this.time, this.end);
    } else if (this.time > this.end + last) {
      this.time = this.loops ? 0 : this.end;
      this.isPlaying = this.loops;
    }
  }
}
