// `window.tumble`: the interface for tests and scripts. It reads the state of the page; it changes
// only the clock and the settings, as keys do. Ids are strings, because they have 64 bits. Canvas
// positions are in CSS pixels from the upper left.

import { bodyRows, findBody, readBody, BODY } from "./layout.js";
import { MODES } from "./colour.js";

export function automation(viewer, ready) {
  const { clock, settings } = viewer;
  const pane = (index = 0) => viewer.panes[index];
  const ratio = () => viewer.canvas.width / viewer.canvas.clientWidth;
  const shownFrame = (index) => pane(index).recording.frames[pane(index).shown]?.[0] ?? null;
  const hasParticles = ({ particles, scene, shown }) => !particles || !settings.particles || scene.cloud.index === shown || particles.failed.has(shown);
  const isShown = () => viewer.panes.every((own) => own.recording.frames.length === 0
    || (own.shown === own.recording.frameAt(clock.time) && hasParticles(own)));

  // Waits until the picture of the clock's time is drawn.
  const settled = async () => {
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (isShown() && !viewer.isDirty) return;
    }
  };

  return Object.freeze({
    // A promise: the recordings are open and the first frame is drawn.
    ready: ready.then(settled),
    // Number of the frame that a recording shows.
    frame: (index = 0) => shownFrame(index),
    // Number of frames of a recording.
    frames: (index = 0) => pane(index).recording.frames.length,
    time: () => clock.time,
    isPlaying: () => clock.isPlaying,
    isLive: () => viewer.isLive,
    // Goes to the frame with this number in the first recording, and waits until it is drawn.
    goto: async (number) => {
      const { recording } = pane();
      clock.isPlaying = false;
      clock.toTime(recording.frames[recording.frameNumbered(number)][1]);
      await settled();
      return shownFrame(0);
    },
    settled,
    // Id, x, y, z of every body of a recording, read back from the buffer on the graphics card.
    positions: (index = 0) => {
      const rows = pane(index).scene.readBack();
      return Array.from({ length: rows.length / BODY }, (_, row) => {
        const { id, position } = readBody(rows, row);
        return [`${id}`, ...position];
      });
    },
    // All data of a body in the shown frame; null if the frame does not have it.
    body: (id, index = 0) => {
      const rows = bodyRows(pane(index).scene.block);
      const row = findBody(rows, BigInt(id));
      return row < 0 ? null : { ...readBody(rows, row), id: `${id}` };
    },
    // Position of a body on the canvas: x, y, and pixels per metre there.
    where: (id, index = 0) => {
      const rows = bodyRows(pane(index).scene.block);
      const row = findBody(rows, BigInt(id));
      const at = row < 0 ? null : viewer.toCanvas(pane(index), readBody(rows, row).position);
      return at && [at.x, at.y, at.metre].map((value) => value / ratio());
    },
    // Number of particles that are drawn, and the number of their frame; null while carriers are
    // drawn instead.
    particles: (index = 0) => {
      const { scene, recording } = pane(index);
      return scene.showsParticles ? [scene.cloud.block.head.count, recording.frames[scene.cloud.index][0]] : null;
    },
    // Id of the selected body, or null.
    chosen: () => (viewer.chosen?.body === undefined ? null : `${viewer.chosen.body}`),
    colourModes: [...MODES],
    set: (name, value) => settings.set(name, value),
    get: (name) => settings[name],
    look: (text) => {
      viewer.camera.fromText(text);
      viewer.isDirty = true;
    },
    // Red, green, blue at positions of the canvas.
    pixels: (places) => {
      const { gl } = viewer.renderer;
      const { width, height } = viewer.canvas;
      viewer.draw();
      const all = new Uint8Array(4 * width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
      return places.map(([x, y]) => {
        const at = 4 * ((height - 1 - Math.floor(y * ratio())) * width + Math.floor(x * ratio()));
        return [...all.slice(at, at + 3)];
      });
    },
    // Bytes in memory, bytes fetched, pictures in the last second, script time of the last picture
    // and upload [s].
    costs: (index = 0) => ({
      kept: pane(index).frames.bytes,
      keptParticles: pane(index).particles?.bytes ?? 0,
      fetched: pane(index).frames.fetchedBytes,
      latency: pane(index).frames.latency,
      secondsPerFrame: pane(index).frames.secondsPerFrame,
      pictures: viewer.drawn.length,
      script: viewer.scriptSeconds,
      upload: pane(index).scene.uploadSeconds,
    }),
  });
}
