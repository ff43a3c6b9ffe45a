// The particles of a recording's frames that are in memory. They come one frame to a request, apart from the blocks, and only
// while someone wants to see them; what is asked for when, kept and dropped is decided as for blocks (`frames.js`).

import { Frames } from "./frames.js";
import { PARTICLE, PARTICLES_HEAD, readParticlesHead } from "./layout.js";

// Bytes that are kept for all recordings together: eight frames of two million.
export const PARTICLE_BUDGET = 192 << 20;

export class Particles extends Frames {
  size(index) {
    return PARTICLES_HEAD + PARTICLE * this.recording.frames[index][5];
  }

  // Nothing is called back: the server would make an answer that nobody waits for, and who scrubs would wait for all of them.
  aim(centre, rate) {
    this.centre = centre;
    this.rate = rate;
    this.pump();
  }

  run(first) {
    return { first, last: first };
  }

  async fetch({ first: index, abort }) {
    const { path, generation } = this.recording;
    const answer = await fetch(`${path}/particles/${index}?generation=${generation}`, { signal: abort.signal });
    if (!answer.ok) throw Object.assign(new Error((await answer.text()).trim()), { status: answer.status });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    this.fetchedBytes += bytes.length;
    if (this.recording.generation !== generation) return 1;
    if (this.blocks.has(index)) this.drop(index);
    const block = { index, bytes, size: bytes.length, head: readParticlesHead(bytes) };
    this.blocks.set(index, block);
    this.bytes += block.size;
    this.onLoad([block]);
    return 1;
  }
}
