// The frames of a recording that are in memory: fetched by byte range ahead of the clock, dropped
// when there are too many.
//
// A request fetches several small frames. If frames cannot be fetched as fast as they are played,
// only every second, third, … is requested, so that the clock runs on time and the picture stays
// close to it.

import { readHead, readOverlays } from "./layout.js";

// Limits in bytes: kept for all recordings together, per request, and fetched ahead.
export const BUDGET = 256 << 20;
const REQUEST = 2 << 20;
const AHEAD = 96 << 20;

// Largest numbers of frames fetched ahead and kept behind, and of concurrent requests.
const FRAMES_AHEAD = 480;
const FRAMES_BEHIND = 8;
const REQUESTS = 2;

// Delay before a request is repeated after a failure or a busy server [ms].
const PATIENCE = 1000;

// The HTTP status of a busy server.
const BUSY = 503;

export class Frames {
  constructor(recording, budget) {
    this.recording = recording;
    this.budget = budget;
    this.blocks = new Map();
    this.failed = new Map();
    // Sizes of overlays, also of dropped frames: without them the frames would be requested again
    // at once.
    this.overlayBytes = new Map();
    this.bytes = 0;
    this.requests = new Set();
    this.centre = 0;
    this.rate = 0;
    // Time per request, and per frame of a request [s].
    this.latency = 0.02;
    this.secondsPerFrame = 0;
    this.fetchedBytes = 0;
    this.isOffline = false;
    this.onLoad = () => {};
    this.onProblem = () => {};
    this.onChanged = () => {};
  }

  get(index) {
    return this.blocks.get(index);
  }

  // The frame to show for `wanted`: itself, or the nearest loaded one that is later than `shown`.
  best(wanted, shown) {
    if (this.blocks.has(wanted)) return wanted;
    for (let index = wanted - 1; index > shown && index >= 0; index -= 1) {
      if (this.blocks.has(index)) return index;
    }
    return null;
  }

  // Sets the frame around which frames are wanted, and the frames per second; 0 if the clock is
  // paused.
  aim(centre, rate) {
    this.centre = centre;
    this.rate = rate;
    for (const request of this.requests) {
      if (request.last < centre - FRAMES_BEHIND || request.first > centre + FRAMES_AHEAD) request.abort.abort();
    }
    this.pump();
  }

  // Drops all frames from an index on: the run was resumed from an earlier frame.
  cut(from) {
    for (const index of [...this.blocks.keys()]) if (index >= from) this.drop(index);
    for (const known of [this.failed, this.overlayBytes]) {
      for (const index of [...known.keys()]) if (index >= from) known.delete(index);
    }
  }

  drop(index) {
    this.bytes -= this.blocks.get(index).size;
    this.blocks.delete(index);
  }

  isMissing(index) {
    if (this.blocks.has(index) || this.failed.has(index)) return false;
    for (const request of this.requests) if (index >= request.first && index <= request.last) return false;
    return true;
  }

  pump() {
    while (!this.isOffline && this.requests.size < REQUESTS) {
      const next = this.next();
      if (next === null) return;
      this.request(next.first, next.last);
    }
  }

  // Stride: one of this many frames is requested.
  get stride() {
    return Math.max(1, Math.ceil(this.secondsPerFrame * this.rate));
  }

  // Memory of a frame, including its overlays once their size is known.
  size(index) {
    return this.recording.frames[index][4] + (this.overlayBytes.get(index) ?? 0);
  }

  // The frames that should be in memory, in the order in which they are shown. Together they stay
  // below the budget: otherwise each new frame would evict another, and fetching would never end.
  *wanted() {
    const { frames } = this.recording;
    const { centre, budget, stride } = this;
    if (centre >= frames.length) return;
    if (this.size(centre) > budget / 2) {
      yield centre;
      return;
    }
    // Frames that would arrive too late are not requested.
    const first = centre + Math.ceil(this.rate > 0 && stride > 1 ? this.latency * this.rate : 0);
    let ahead = 0;
    for (let index = first; index < Math.min(frames.length, first + FRAMES_AHEAD * stride); index += stride) {
      ahead += this.size(index);
      if (index > first && ahead > Math.min(AHEAD, budget / 2)) break;
      yield index;
    }
    let behind = 0;
    for (let index = centre - 1; index >= Math.max(0, centre - FRAMES_BEHIND) && this.rate === 0; index -= 1) {
      behind += this.size(index);
      if (behind > budget / 4) break;
      yield index;
    }
  }

  // The next frames to request.
  next() {
    const { frames } = this.recording;
    if (this.centre < frames.length && this.isMissing(this.centre) && this.requests.size === 0) {
      return this.run(this.centre, 1);
    }
    for (const index of this.wanted()) {
      if (this.isMissing(index)) return index < this.centre ? { first: index, last: index } : this.run(index, this.stride);
    }
    return null;
  }

  // As many missing frames as fit into one request.
  run(first, stride) {
    const { frames } = this.recording;
    let last = first;
    let bytes = frames[first][4];
    while (stride === 1 && last + 1 < frames.length && this.isMissing(last + 1) && bytes + frames[last + 1][4] <= REQUEST) {
      last += 1;
      bytes += frames[last][4];
    }
    return { first, last };
  }

  async request(first, last) {
    const request = { first, last, abort: new AbortController() };
    this.requests.add(request);
    const started = performance.now();
    try {
      const loaded = await this.fetch(request);
      const seconds = (performance.now() - started) / 1000;
      this.latency += 0.3 * (seconds - this.latency);
      this.secondsPerFrame += 0.3 * (seconds / loaded / REQUESTS - this.secondsPerFrame);
    } catch (problem) {
      await this.explain(problem, request);
    } finally {
      this.requests.delete(request);
    }
    this.evict();
    this.pump();
  }

  // Fetches the blocks of some frames and stores them; returns how many arrived.
  async fetch({ first, last, abort }) {
    const { path, frames, generation } = this.recording;
    const start = frames[first][3];
    const end = frames[last][3] + frames[last][4];
    const headers = { Range: `bytes=${start}-${end - 1}` };
    const answer = await fetch(`${path}/frames?generation=${generation}`, { headers, signal: abort.signal });
    if (!answer.ok) throw Object.assign(new Error((await answer.text()).trim()), { status: answer.status });
    const buffer = await answer.arrayBuffer();
    this.fetchedBytes += buffer.byteLength;
    const isAlone = first === last;
    const loaded = [];
    for (let index = first; index <= last; index += 1) {
      const [, , , offset, length] = frames[index];
      // The response may end early, before a frame that cannot be read.
      if (offset + length - start > buffer.byteLength) break;
      const whole = new Uint8Array(buffer, offset - start, length);
      const bytes = isAlone ? whole : whole.slice();
      const block = { index, bytes, size: length, head: readHead(bytes), overlays: null };
      if (block.head.layers + block.head.constraints > 0) await this.fetchOverlays(block, generation, abort);
      if (this.recording.generation !== generation) break;
      if (this.blocks.has(index)) this.drop(index);
      this.blocks.set(index, block);
      if (block.size > length) this.overlayBytes.set(index, block.size - length);
      this.bytes += block.size;
      loaded.push(block);
    }
    this.onLoad(loaded);
    return Math.max(1, loaded.length);
  }

  async fetchOverlays(block, generation, abort) {
    const path = `${this.recording.path}/overlays/${block.index}?generation=${generation}`;
    const answer = await fetch(path, { signal: abort.signal });
    if (!answer.ok) throw Object.assign(new Error((await answer.text()).trim()), { status: answer.status });
    const buffer = await answer.arrayBuffer();
    const { layers, constraints } = block.head;
    const isWhole = buffer.byteLength === 28 * layers + 24 * constraints;
    if (!isWhole) throw Object.assign(new Error("the recording changed"), { status: 409 });
    block.overlays = readOverlays(buffer, block.head);
    block.size += buffer.byteLength;
  }

  async explain(problem, { first }) {
    if (problem.name === "AbortError") return;
    if (problem.status === 409) {
      await this.onChanged();
    } else if (problem.status !== undefined && problem.status !== BUSY) {
      this.failed.set(first, problem.message);
      this.onProblem(`frame ${this.recording.frames[first]?.[0]}: ${problem.message}`);
    } else {
      this.isOffline = true;
      if (problem.status !== BUSY) this.onProblem(null);
      setTimeout(() => {
        this.isOffline = false;
        this.pump();
      }, PATIENCE);
    }
  }

  // Drops the unwanted frames that are farthest from the clock; frames behind it count as farther
  // than those ahead.
  evict() {
    if (this.bytes <= this.budget) return;
    const distance = (index) => (index < this.centre ? 4 * (this.centre - index) : index - this.centre);
    const wanted = new Set([this.centre, ...this.wanted()]);
    const others = [...this.blocks.keys()].filter((index) => !wanted.has(index));
    for (const index of others.sort((a, b) => distance(b) - distance(a))) {
      if (this.bytes <= this.budget) return;
      this.drop(index);
    }
  }
}
