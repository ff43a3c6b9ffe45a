// The particles of the shown frame, on the graphics card: rows as received, drawn in one call.
//
// There are millions of particles of a few pixels each, so a particle is a point sprite that covers
// the square around its ball: one vertex instead of the four of a sphere (`shaders.js`). The ball
// is drawn without perspective, which makes no visible difference at this size, and the shadow map
// is read once per ball.

import { PARTICLE, PARTICLES_HEAD } from "./layout.js";
import { HEAD, LIGHT, PALETTE } from "./shaders.js";

// Attribute location of rows in the shader.
const ROW = 0;

export const PARTICLES = {
  vertex: `${HEAD}${PALETTE}${LIGHT}
layout(location = ${ROW}) in uvec3 row;
uniform vec3 least;
uniform vec3 extent;
uniform float radius;     // radius of the largest particle [m]
uniform float fastest;    // speed of the fastest particle [m/s]
flat out vec4 ball;       // xyz centre relative to the eye, w radius [m]
flat out vec2 square;     // radius in pixels, half the side of the square in radii
flat out vec3 tint;
flat out float lit;
void main() {
  vec3 centre = least + extent * (vec3(row & 0xfffffu) / 1048575.0);
  float r = radius * float((row.y >> 20u) & 255u) / 255.0;
  ball = vec4(centre - eye.xyz, r);
  square = vec2(0.0);
  tint = vec3(0.0);
  lit = 1.0;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  if (dot(clip.xyz, centre) > clip.w) return;
#ifdef SHADOW
  gl_Position = sunView * vec4(centre, 1.0);
  float pixels = r / sunUp.w;
  gl_PointSize = max(1.0, 2.0 * pixels);
#else
  vec4 at = camera * vec4(ball.xyz, 1.0);
  if (at.w <= 0.0) return;
  gl_Position = at;
  float pixels = r / (eye.w * at.w);
  // One pixel more for the soft edge.
  gl_PointSize = 2.0 * pixels + 2.0;
  if (all(lessThan(abs(at.xyz), at.www))) lit = sunlight(centre + sun.xyz * r, sun.xyz);
  float shadeOf = 0.9 + 0.2 * float(row.y >> 28u) / 15.0;
  tint = chosen.w == 2u
    ? along(0, 6, sqrt(fastest * float(row.z >> 20u) / 4095.0 / ranges.x))
    : min(colourAt(29 + int(row.x >> 20u)) * shadeOf, 1.0);
#endif
  square = vec2(pixels, 0.5 * gl_PointSize / max(pixels, 1e-6));
}`,
  fragment: `${HEAD}${LIGHT}
flat in vec4 ball;
flat in vec2 square;
flat in vec3 tint;
flat in float lit;
layout(location = 0) out vec4 colour;
vec3 axis(int k) { return vec3(camera[0][k], camera[1][k], camera[2][k]); }
void main() {
  vec2 at = (2.0 * gl_PointCoord - 1.0) * square.y;
  float away = length(at);
#ifdef SHADOW
  if (away > 1.0) discard;
  gl_FragDepth = gl_FragCoord.z - 0.5 * sqrt(1.0 - away * away) * ball.w / sunRight.w;
  colour = vec4(1.0);
#else
  float cover = clamp((1.0 - away) * square.x + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  // The axes of the picture; if the centre of the view is shifted, the first rows have a forward
  // component.
  vec3 forward = normalize(axis(3));
  vec3 right = normalize(axis(0) - forward * dot(axis(0), forward));
  vec3 up = normalize(axis(1) - forward * dot(axis(1), forward));
  at /= max(1.0, away);
  vec3 n = right * at.x - up * at.y - forward * sqrt(max(1.0 - dot(at, at), 0.0));
  vec4 place = camera * vec4(ball.xyz + n * ball.w, 1.0);
  gl_FragDepth = 0.5 * place.z / place.w + 0.5;
  colour = vec4(toScreen(toLinear(tint) * lightOn(n, lit)), cover);
#endif
}`,
};

export class Cloud {
  constructor(gl) {
    this.gl = gl;
    // Two alternating buffers: one may still be drawn while the other is written.
    this.buffers = [0, 1].map(() => this.createBuffer());
    this.turn = 0;
    this.block = null;
  }

  createBuffer() {
    const { gl } = this;
    const own = { buffer: gl.createBuffer(), vao: gl.createVertexArray(), size: 0 };
    gl.bindVertexArray(own.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, own.buffer);
    gl.enableVertexAttribArray(ROW);
    gl.vertexAttribIPointer(ROW, 3, gl.UNSIGNED_INT, PARTICLE, 0);
    gl.bindVertexArray(null);
    return own;
  }

  // Index of the frame whose particles are loaded; -1 if none are.
  get index() {
    return this.block ? this.block.index : -1;
  }

  clear() {
    this.block = null;
  }

  upload(block) {
    const { gl } = this;
    this.block = block;
    this.turn = 1 - this.turn;
    const target = this.buffers[this.turn];
    const rows = block.bytes.subarray(PARTICLES_HEAD);
    gl.bindBuffer(gl.ARRAY_BUFFER, target.buffer);
    if (rows.length > target.size) {
      // Spare capacity, so that a growing scene does not need a new buffer in each frame.
      target.size = Math.ceil((rows.length * 1.25) / PARTICLE) * PARTICLE;
      gl.bufferData(gl.ARRAY_BUFFER, target.size, gl.DYNAMIC_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, rows);
  }

  draw({ program, uniforms }) {
    const { gl } = this;
    const { count, least, extent, radius, fastest } = this.block.head;
    gl.useProgram(program);
    gl.uniform3fv(uniforms.least, least);
    gl.uniform3fv(uniforms.extent, extent);
    gl.uniform1f(uniforms.radius, radius);
    if (uniforms.fastest) gl.uniform1f(uniforms.fastest, fastest);
    gl.bindVertexArray(this.buffers[this.turn].vao);
    gl.drawArrays(gl.POINTS, 0, count);
    gl.bindVertexArray(null);
  }
}
