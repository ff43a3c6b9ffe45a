// The particles of a recording's frames that are in memory. A request fetches the particles of one
// frame, separately from the blocks, and only while particles are visible. Fetching and dropping
// follow the rules of blocks (`frames.js`).

import { Frames } from "./frames.js";
import { PARTICLE, PARTICLES_HEAD, readParticlesHead } from "./layout.js";

// Bytes that are kept for all recordings together: eight frames of two million particles.
export const PARTICLE_BUDGET = 192 << 20;

export class Particles extends Frames {
  size(index) {
    return PARTICLES_HEAD + PARTICLE * this.recording.frames[index][5];
  }

  // Requests are not cancelled: the server would compute the response anyway, and scrubbing would
  // wait for all of them.
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
