// Draws panes: the shadow map, the scene with soft edges, ambient occlusion, and the output to the
// screen.
//
// Reads a scene, the camera and the settings; keeps the buffers. Picking draws a single pixel with
// the same programs (`pick`).

import { bindTexture, createContext, createFramebuffer, createProgram, createRenderbuffer, createTable } from "./gl.js";
import { PARTICLES } from "./cloud.js";
import { COMPOSE, OBSCURANCE } from "./finish.js";
import { BACKGROUND, GROUND, MESHES, SOLIDS, SPHERES, forPass } from "./shaders.js";
import { Overlays } from "./overlays.js";
import { MODES, MOST_CONTACTS } from "./colour.js";
import { add, cross, length, multiply, normalize, orthographic, rotate, scale, subtract, zoomTo } from "./matrix.js";

const SHADOW_SIZE = 2048;
const SUN = normalize([-0.42, -0.55, 1.15]);

// The unit of each texture that a shader names.
const UNITS = { colours: 0, shapes: 1, shadowMap: 2, picture: 3, depths: 4, obscurance: 5 };

// Words of the uniform block `View` in `shaders.js`.
const VIEW_WORDS = 76;

// Light and background of the light and the dark theme: colours in sRGB, lights in linear units.
const THEMES = {
  light: {
    top: "#eef1f4", bottom: "#dfe3e8", ground: "#e3e2df", obstacle: 1.0, accent: "#ff5a1f",
    sky: [0.58, 0.62, 0.68], bounce: [0.36, 0.34, 0.32], sun: [0.72, 0.67, 0.58], shadow: 0.62,
  },
  dark: {
    top: "#11151b", bottom: "#1b2129", ground: "#2a3038", obstacle: 0.8, accent: "#ff7a3c",
    sky: [0.40, 0.45, 0.54], bounce: [0.16, 0.16, 0.17], sun: [0.78, 0.72, 0.62], shadow: 0.75,
  },
};

// Opacity of glass obstacles.
const GLASS = 0.3;

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);

export class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = createContext(canvas);
    this.gl = gl;
    this.programs = new Map();
    this.overlays = new Overlays(gl, (source) => this.program(source));
    this.empty = gl.createVertexArray();

    this.viewWords = new ArrayBuffer(4 * VIEW_WORDS);
    this.viewBuffer = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.viewBuffer);
    gl.bufferData(gl.UNIFORM_BUFFER, this.viewWords.byteLength, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.viewBuffer);

    this.samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    this.createShadowMap();
    this.createPickBuffer();
    this.size = [0, 0];
    this.theme = THEMES.light;
  }

  setTheme(isDark) {
    this.theme = isDark ? THEMES.dark : THEMES.light;
  }

  // The program of a source for a pass. Programs are compiled on first use, because some drivers
  // take long.
  program(source, pass = "COLOUR") {
    const { gl } = this;
    if (!this.programs.has(source)) this.programs.set(source, {});
    const passes = this.programs.get(source);
    if (!passes[pass]) {
      passes[pass] = createProgram(gl, ...forPass(source, pass));
      gl.useProgram(passes[pass].program);
      for (const [name, unit] of Object.entries(UNITS)) {
        if (passes[pass].uniforms[name]) gl.uniform1i(passes[pass].uniforms[name], unit);
      }
    }
    return passes[pass];
  }

  createShadowMap() {
    const { gl } = this;
    const create = (size) => {
      const map = createTable(gl, gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, size, size, null);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
      return { map, framebuffer: createFramebuffer(gl, [[gl.DEPTH_ATTACHMENT, map]]) };
    };
    // A shadow map must be bound even without shadows. Each pane has its own map, made on demand.
    this.noShadows = create(1);
    this.shadowMaps = [];
    this.shadowMap = (pane) => (this.shadowMaps[pane] ??= create(SHADOW_SIZE));
  }

  createPickBuffer() {
    const { gl } = this;
    const ids = createTable(gl, gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 1, 1, null);
    const depth = createRenderbuffer(gl, gl.DEPTH_COMPONENT24, 1, 1, 0);
    this.pickBuffer = createFramebuffer(gl, [[gl.COLOR_ATTACHMENT0, ids], [gl.DEPTH_ATTACHMENT, depth]]);
  }

  // Makes buffers for a picture of this size.
  resize(width, height) {
    if (this.size[0] === width && this.size[1] === height) return;
    const { gl } = this;
    this.size = [width, height];
    this.targets?.forEach((thing) => {
      if (thing instanceof WebGLTexture) gl.deleteTexture(thing);
      else if (thing instanceof WebGLRenderbuffer) gl.deleteRenderbuffer(thing);
      else gl.deleteFramebuffer(thing);
    });
    const colourSamples = createRenderbuffer(gl, gl.RGBA8, width, height, this.samples);
    const depthSamples = createRenderbuffer(gl, gl.DEPTH_COMPONENT24, width, height, this.samples);
    this.picture = createTable(gl, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, width, height, null);
    this.depths = createTable(gl, gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, width, height, null);
    const [halfWidth, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)];
    this.open = createTable(gl, gl.R8, gl.RED, gl.UNSIGNED_BYTE, halfWidth, halfHeight, null);
    this.sampled = createFramebuffer(gl, [[gl.COLOR_ATTACHMENT0, colourSamples], [gl.DEPTH_ATTACHMENT, depthSamples]]);
    this.resolved = createFramebuffer(gl, [[gl.COLOR_ATTACHMENT0, this.picture], [gl.DEPTH_ATTACHMENT, this.depths]]);
    this.opened = createFramebuffer(gl, [[gl.COLOR_ATTACHMENT0, this.open]]);
    this.targets = [colourSamples, depthSamples, this.picture, this.depths, this.open, this.sampled, this.resolved, this.opened];
  }

  // Fills the uniform block. `matrix` is the camera's, or one that enlarges a single pixel.
  setView(matrix, { camera, scene, settings, rect, bounds, clip, chosen, speed }) {
    const f = new Float32Array(this.viewWords);
    const u = new Uint32Array(this.viewWords);
    const { theme } = this;
    const sun = sunOf(bounds);
    f.set(matrix, 0);
    f.set(sun.matrix, 16);
    f.set([...camera.eye, (2 * camera.tangent) / rect[3]], 32);
    f.set([...SUN, settings.light === "full" ? theme.shadow : 0], 36);
    f.set([...sun.right, sun.radius], 40);
    f.set([...sun.up, (2 * sun.radius) / SHADOW_SIZE], 44);
    f.set(clip, 48);
    f.set(theme.sky, 52);
    f.set(theme.bounce, 56);
    f.set(theme.sun, 60);
    f.set(rgb(theme.accent), 64);
    const id = chosen ?? 0n;
    u.set([Number(id & 0xffffffffn), Number(id >> 32n), chosen === null ? 0 : 1, MODES.indexOf(settings.colour)], 68);
    f.set([speed, MOST_CONTACTS, 0, 0], 72);
    const { gl } = this;
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.viewBuffer);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, f);
    bindTexture(gl, UNITS.colours, scene.colours);
    bindTexture(gl, UNITS.shapes, scene.shapeTable);
  }

  // Draws panes next to each other. A pane: scene, rect in pixels, shift of its centre, settings,
  // camera, bounds, clip, chosen, speed.
  draw(panes) {
    const { gl } = this;
    const [width, height] = this.size;
    for (const [index, pane] of panes.entries()) if (pane.settings.light === "full") this.drawShadows(pane, index);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sampled);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearDepth(1);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    for (const [index, pane] of panes.entries()) this.drawScene(pane, index);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.sampled);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.resolved);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    gl.disable(gl.DEPTH_TEST);
    for (const pane of panes) this.finish(pane);
    gl.enable(gl.DEPTH_TEST);
  }

  drawShadows(pane, index) {
    const { gl } = this;
    // A shadow map is reused while neither the frame nor the clip plane changes, however the camera
    // moves. Maps belong to panes; when one of two recordings is shown alone, a pane may show
    // another scene.
    const { scene, settings, bounds, clip } = pane;
    const key = [scene.version, settings.obstacles, ...clip, ...bounds.least, ...bounds.largest].join();
    const own = this.shadowMap(index);
    if (own.scene === scene && own.key === key) return;
    Object.assign(own, { scene, key });
    this.setView(pane.camera.matrix(1), pane);
    gl.bindFramebuffer(gl.FRAMEBUFFER, own.framebuffer);
    bindTexture(gl, UNITS.shadowMap, this.noShadows.map);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawBodies(scene, "SHADOW");
    this.drawObstacles("SHADOW", pane, "solid");
  }

  drawScene(pane, index) {
    const { gl } = this;
    const { scene, rect, settings, camera } = pane;
    this.setView(camera.matrix(rect[2] / rect[3], pane.shift), pane);
    bindTexture(gl, UNITS.shadowMap, settings.light === "full" ? this.shadowMap(index).map : this.noShadows.map);
    gl.viewport(...rect);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...rect);

    gl.disable(gl.DEPTH_TEST);
    const { program, uniforms } = this.program(BACKGROUND);
    gl.useProgram(program);
    gl.uniform3fv(uniforms.top, rgb(this.theme.top));
    gl.uniform3fv(uniforms.bottom, rgb(this.theme.bottom));
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);

    gl.enable(gl.DEPTH_TEST);
    this.drawObstacles("COLOUR", pane, "solid");
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    this.drawBodies(scene, "COLOUR");
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);

    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (settings.ground) this.drawPlanes(pane);
    gl.depthMask(false);
    this.overlays.draw(pane);
    this.drawObstacles("COLOUR", pane, "glass");
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.SCISSOR_TEST);
  }

  drawBodies(scene, pass) {
    // A click on particles selects the body below them.
    const hasParticles = scene.showsParticles && pass !== "PICK";
    scene.drawBodies(() => this.program(SPHERES, pass), () => this.program(MESHES, pass), hasParticles);
    if (hasParticles) scene.cloud.draw(this.program(PARTICLES, pass));
  }

  // Draws the obstacles that have this look.
  drawObstacles(pass, { scene, settings }, look) {
    const { gl } = this;
    const { program, uniforms } = this.program(SOLIDS, pass);
    const alpha = look === "glass" ? GLASS : 1;
    gl.useProgram(program);
    for (const { index, pose, surface, extent, colour } of scene.obstacles(look, settings.obstacles)) {
      gl.uniform3fv(uniforms.origin, pose.position);
      gl.uniform4fv(uniforms.turn, pose.orientation);
      gl.uniform3fv(uniforms.extent, extent);
      if (uniforms.paint) gl.uniform4fv(uniforms.paint, [...rgb(colour).map((v) => v * this.theme.obstacle), alpha]);
      if (uniforms.glass) gl.uniform1f(uniforms.glass, alpha < 1 ? 1 : 0);
      if (uniforms.number) gl.uniform1ui(uniforms.number, index);
      gl.bindVertexArray(surface.vao);
      gl.drawArrays(gl.TRIANGLES, 0, surface.count);
    }
    gl.bindVertexArray(null);
  }

  drawPlanes({ scene, bounds, camera }) {
    const { gl } = this;
    const { program, uniforms } = this.program(GROUND);
    const centre = scale(add(bounds.least, bounds.largest), 0.5);
    const size = length(subtract(bounds.largest, bounds.least));
    gl.useProgram(program);
    gl.bindVertexArray(this.empty);
    for (const { position, orientation } of scene.planes()) {
      // The centre of the grid is below the pile, and its spacing is a round number.
      const back = [orientation[0], -orientation[1], -orientation[2], -orientation[3]];
      const middle = rotate(back, subtract(centre, position));
      // From behind, a plane is drawn faintly and hides nothing.
      gl.depthMask(rotate(back, subtract(camera.eye, position))[2] > 0);
      gl.uniform3fv(uniforms.origin, position);
      gl.uniform4fv(uniforms.turn, orientation);
      gl.uniform1f(uniforms.reach, 4.5 * size);
      gl.uniform2fv(uniforms.middle, middle.slice(0, 2));
      gl.uniform1f(uniforms.spacing, 10 ** Math.round(Math.log10(size / 12)));
      gl.uniform4fv(uniforms.paint, [...rgb(this.theme.ground), 1]);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }

  // Copies a pane to the screen.
  finish({ rect, shift, settings, camera, scene, bounds }) {
    const { gl } = this;
    const [width, height] = this.size;
    const share = [rect[0] / width, rect[1] / height, rect[2] / width, rect[3] / height];
    const lens = [(camera.tangent * rect[2]) / rect[3], camera.tangent, camera.near, camera.far];
    const isShaded = settings.light === "full";
    bindTexture(gl, UNITS.depths, this.depths);
    gl.bindVertexArray(this.empty);
    if (isShaded) {
      const { program, uniforms } = this.program(OBSCURANCE);
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.opened);
      const [left, below] = [Math.floor(rect[0] / 2), Math.floor(rect[1] / 2)];
      gl.viewport(left, below, Math.ceil((rect[0] + rect[2]) / 2) - left, Math.ceil((rect[1] + rect[3]) / 2) - below);
      gl.useProgram(program);
      gl.uniform4fv(uniforms.rect, share);
      gl.uniform4fv(uniforms.lens, lens);
      gl.uniform2fv(uniforms.shift, shift);
      const size = length(subtract(bounds.largest, bounds.least));
      const grain = scene.showsParticles ? scene.cloud.block.head.radius : scene.grain;
      gl.uniform1f(uniforms.radius, Math.min(Math.max(3 * grain, 0.01 * size), 0.1 * size));
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    const { program, uniforms } = this.program(COMPOSE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(...rect);
    bindTexture(gl, UNITS.picture, this.picture);
    bindTexture(gl, UNITS.obscurance, this.open);
    gl.useProgram(program);
    gl.uniform4fv(uniforms.rect, share);
    gl.uniform4fv(uniforms.lens, lens);
    gl.uniform1f(uniforms.strength, isShaded ? 0.75 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // The object at a pixel of a pane: { body: id }, { obstacle: index } or null. Pixels are counted
  // from the pane's lower left.
  pick(pane, x, y) {
    const { gl } = this;
    const { rect, camera, scene } = pane;
    const matrix = camera.matrix(rect[2] / rect[3], pane.shift);
    const zoom = zoomTo((2 * (x + 0.5)) / rect[2] - 1, (2 * (y + 0.5)) / rect[3] - 1, rect[2], rect[3]);
    this.setView(multiply(zoom, matrix), pane);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickBuffer);
    gl.viewport(0, 0, 1, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawBodies(scene, "PICK");
    this.drawObstacles("PICK", pane, "solid");
    const found = new Uint32Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, found);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    if (found[2] === 1) return { body: BigInt(found[0]) | (BigInt(found[1]) << 32n) };
    return found[2] === 2 ? { obstacle: found[0] } : null;
  }
}

// The view of the shadow map: everything within the bounds, with a margin.
function sunOf(bounds) {
  const centre = scale(add(bounds.least, bounds.largest), 0.5);
  const radius = Math.max(1e-6, 0.62 * length(subtract(bounds.largest, bounds.least)));
  const forward = scale(SUN, -1);
  const right = normalize(cross(forward, [0, 0, 1]));
  const up = cross(right, forward);
  return { right, up, radius, matrix: orthographic(right, up, forward, centre, radius) };
}
