// Overlays of directors: layers of piles as glass cylinders, guide meshes, constraints as lines.

import { LINES, SOLIDS } from "./shaders.js";
import { Surface, cylinderCorners } from "./mesh.js";

const STILL = [1, 0, 0, 0];

// Each pile has its own colour; the opacity of a layer shows how full it is.
const PILES = [[0.16, 0.47, 0.85], [0.13, 0.62, 0.52], [0.62, 0.36, 0.8], [0.82, 0.5, 0.12]];
const GUIDE = [0.45, 0.3, 0.85, 0.16];
const CONSTRAINT = [0.85, 0.2, 0.5, 1];

export class Overlays {
  // `program` returns the program of a source.
  constructor(gl, program) {
    this.gl = gl;
    this.program = program;
    this.cylinder = new Surface(gl, cylinderCorners());
    this.segments = gl.createBuffer();
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.segments);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, 0);
    gl.bindVertexArray(null);
  }

  // Draws the enabled overlays over a pane. The uniform block is that of the pane.
  draw({ scene, settings }) {
    const overlays = scene.block?.overlays;
    if (settings.guides) this.drawGuides(scene);
    if (settings.layers && overlays) this.drawLayers(overlays.layers);
    if (settings.constraints && overlays) this.drawConstraints(overlays.constraints);
  }

  drawGlass(surface, origin, extent, paint) {
    const { gl } = this;
    const { program, uniforms } = this.program(SOLIDS);
    gl.useProgram(program);
    gl.uniform3fv(uniforms.origin, origin);
    gl.uniform4fv(uniforms.turn, STILL);
    gl.uniform3fv(uniforms.extent, extent);
    gl.uniform4fv(uniforms.paint, paint);
    gl.uniform1f(uniforms.glass, 1);
    gl.bindVertexArray(surface.vao);
    // The far side first, then the near side, so that both are visible.
    gl.enable(gl.CULL_FACE);
    for (const side of [gl.FRONT, gl.BACK]) {
      gl.cullFace(side);
      gl.drawArrays(gl.TRIANGLES, 0, surface.count);
    }
    gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(null);
  }

  drawGuides(scene) {
    for (const guide of scene.recording.header.guides) {
      this.drawGlass(scene.surfaces.get(guide), [0, 0, 0], [1, 1, 1], GUIDE);
    }
  }

  drawLayers(layers) {
    for (const { pile, centre, radius, height, density } of layers) {
      const colour = PILES[pile % PILES.length];
      const alpha = 0.07 + 0.14 * Math.max(0, Math.min(1, density));
      // A thin gap separates layers.
      this.drawGlass(this.cylinder, centre, [radius, radius, height * 0.985], [...colour, alpha]);
    }
  }

  drawConstraints(constraints) {
    const { gl } = this;
    if (constraints.length === 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.segments);
    gl.bufferData(gl.ARRAY_BUFFER, constraints, gl.DYNAMIC_DRAW);
    const { program, uniforms } = this.program(LINES);
    gl.useProgram(program);
    gl.uniform4fv(uniforms.paint, CONSTRAINT);
    gl.bindVertexArray(this.vao);
    // Constraints are inside bodies, so they are drawn over them.
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.LINES, 0, constraints.length / 3);
    gl.enable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
  }
}
