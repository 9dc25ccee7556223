/** Tracks a number and its rate of change: a Kalman filter for motion at constant velocity. */
export type KalmanState = {
  position: number;
  velocity: number;
  /** Variances and covariance. */
  pp: number;
  pv: number;
  vv: number;
};

/**
 * Starts at a measured position. `noise` is the standard deviation of measurements, `speed` that of velocities (per
 * second).
 */
export function createKalmanState(position: number, noise: number, speed: number): KalmanState {
  return { position, velocity: 0, pp: noise * noise, pv: 0, vv: speed * speed };
}

/** Predicts `dt` seconds ahead. `jerk` is the standard deviation of the acceleration (per second squared). */
export function predict(f: KalmanState, dt: number, jerk: number): void {
  const q = jerk * jerk;
  f.position += f.velocity * dt;
  f.pp += dt * (2 * f.pv + dt * f.vv) + (q * dt ** 4) / 4;
  f.pv += dt * f.vv + (q * dt ** 3) / 2;
  f.vv += q * dt * dt;
}

/** Updates with a measured position. */
export function correct(f: KalmanState, measured: number, noise: number): void {
  const total = f.pp + noise * noise;
  const gain = f.pp / total;
  const velocityGain = f.pv / total;
  const off = measured - f.position;
  f.position += gain * off;
  f.velocity += velocityGain * off;
  f.vv -= velocityGain * f.pv;
  f.pv *= 1 - gain;
  f.pp *= 1 - gain;
}

/** Transforms the position, as when the camera moves: `position' = scale · position + shift`. */
export function transform(f: KalmanState, scale: number, shift: number): void {
  f.position = scale * f.position + shift;
  f.velocity *= scale;
  f.pp *= scale * scale;
  f.pv *= scale * scale;
  f.vv *= scale * scale;
}
