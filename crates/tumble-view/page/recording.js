// A recording on the server: its header, and the list of frames, which grows during the run.

// A run that has written nothing for this long [s] counts as finished.
const QUIET = 15;

// A server that takes longer than this to answer counts as gone [ms].
const PATIENCE = 20000;

async function fetchJson(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

export const recordingCount = async () => (await fetchJson("recordings.json")).recordings;

export class Recording {
  static async open(number) {
    const path = `recording/${number}`;
    const recording = new Recording(path, await fetchJson(`${path}/header.json`));
    await recording.refresh();
    return recording;
  }

  constructor(path, header) {
    this.path = path;
    this.header = header;
    this.epoch = header.epoch;
    this.generation = 0;
    // A frame: number, time, bodies, start and length of its block, particles.
    this.frames = [];
    this.damage = null;
    this.isReplaced = false;
    this.age = Infinity;
    this.grewAt = null;
    this.longestPause = 0;
  }

  get title() {
    return this.header.title || this.header.name;
  }

  // Whether the run still writes: it did so recently, compared with its time per frame.
  get isLive() {
    if (this.grewAt === null) return this.age < QUIET;
    return (performance.now() - this.grewAt) / 1000 < Math.max(QUIET, 4 * this.longestPause);
  }

  // Asks for new frames. Returns the first index whose frame has changed, or null if nothing
  // changed.
  async refresh() {
    const known = this.frames.length;
    const query = `from=${known}&epoch=${this.epoch}&generation=${this.generation}`;
    const index = await fetchJson(`${this.path}/index.json?${query}`);
    if (index.epoch !== this.epoch) {
      this.isReplaced = true;
      return null;
    }
    // Another response may have brought the same frames in the meantime.
    if (index.generation < this.generation || index.from > this.frames.length) return null;
    const cut = index.generation > this.generation ? index.from : this.frames.length;
    this.generation = index.generation;
    this.damage = index.damage;
    this.age = index.age ?? Infinity;
    const before = this.frames.length;
    this.frames = this.frames.slice(0, index.from).concat(index.frames);
    if (cut === before && this.frames.length === before) return null;
    if (known > 0) this.noteGrowth();
    return cut;
  }

  noteGrowth() {
    const now = performance.now();
    if (this.grewAt !== null) this.longestPause = Math.max(this.longestPause, (now - this.grewAt) / 1000);
    this.grewAt = now;
  }

  // Index of the last frame that is not later than `time`; 0 before the first.
  frameAt(time) {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle][1] <= time + 1e-9) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  // Index of the frame with this number, or of the last one before it.
  frameNumbered(number) {
    const after = this.frames.findIndex((frame) => frame[0] > number);
    return Math.max(0, (after < 0 ? this.frames.length : after) - 1);
  }

  async mesh(number) {
    const answer = await fetch(`${this.path}/mesh/${number}`);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const buffer = await answer.arrayBuffer();
    const [vertices, triangles] = new Uint32Array(buffer, 0, 2);
    return {
      vertices: new Float32Array(buffer, 8, 3 * vertices),
      triangles: new Uint32Array(buffer, 8 + 12 * vertices, 3 * triangles),
    };
  }
}
