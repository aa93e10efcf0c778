import { readFileSync } from 'node:fs';

const intervalMs = 50;

/** Watches a process and those it has started; gives the most memory they held together, in MB. */
export function watchMemory(pid: number): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentKilobytes(pid));
  }, intervalMs);
  return () => {
    clearInterval(timer);
    return peak / 1024;
  };
}

function residentKilobytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
    const others = children.split(' ').filter(Boolean).map(Number).map(residentKilobytes);
    return others.reduce((sum, kilobytes) => sum + kilobytes, own);
  } catch {
    return 0;
  }
}
