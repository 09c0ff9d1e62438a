import { app } from "./app.svelte";

let context: AudioContext | null = null;

export function knock(): void {
  if (!app.hasSound) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.setValueAtTime(220, now);
  tone.frequency.exponentialRampToValueAtTime(90, now + 0.09);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.14);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.15);
}
