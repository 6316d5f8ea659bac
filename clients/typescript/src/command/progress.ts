import type { Output } from './io.js';
import { cutTo } from './text.js';

const minIntervalMs = 100;
const barWidth = 24;

/** A line at the end of a terminal that shows how far the work is. Files and pipes get nothing. */
export class Progress {
  #shownAt = 0;
  #isShown = false;

  constructor(private readonly output: Output) {}

  show(label: string, done: number, total: number | null, note = ''): void {
    const now = Date.now();
    if (!this.output.isTTY || now - this.#shownAt < minIntervalMs) return;
    this.#shownAt = now;
    this.#isShown = true;
    const line = progressLine(label, done, total, note);
    this.output.write(`\r\u001b[2K${cutTo(line, (this.output.columns ?? 80) - 1)}`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#isShown) this.output.write('\r\u001b[2K');
    this.#isShown = false;
    this.#shownAt = 0;
  }
}

export function progressLine(label: string, done: number, total: number | null, note: string): string {
  const suffix = note === '' ? '' : `  ${note}`;
  if (total === null || total === 0) return `${label}  ${done.toLocaleString('en-US')}${suffix}`;
  const share = Math.min(1, done / total);
  const filled = Math.floor(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  return `${label}  ${bar} ${Math.floor(share * 100)} %${suffix}`;
}
