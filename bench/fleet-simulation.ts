import { keyedRandom } from '../src/base/keyed-random.ts';

/** What a row costs, as measured, and the fleet that is to be simulated. */
export interface FleetSetting {
  readonly workers: number;
  /** Requests that a worker asks at once. */
  readonly slots: number;
  /** Mean time that the endpoint takes for an answer; single ones are spread around it. */
  readonly latencyMs: number;
  /** CPU of the run, of Redis and of a worker for a row, in milliseconds. */
  readonly runMs: number;
  readonly redisMs: number;
  readonly workerMs: number;
}

export interface FleetOutcome {
  readonly rowsPerSecond: number;
  /** The mean number of requests that no worker has begun. */
  readonly queued: number;
  /** Shares of the time that the run, Redis and the slots of the workers are busy. */
  readonly runBusy: number;
  readonly redisBusy: number;
  readonly slotsBusy: number;
}

/** As `src/queue` has them. */
const mostOfUnit = 16;
const unitsAtOnce = 4;
const roomPerSlot = 2;

type Task = () => void;

/** Events in the order of their times. */
class Calendar {
  readonly #times: number[] = [];
  readonly #tasks: Task[] = [];
  now = 0;

  at(time: number, task: Task): void {
    let place = this.#times.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((this.#times[parent] as number) <= time) break;
      this.#times[place] = this.#times[parent] as number;
      this.#tasks[place] = this.#tasks[parent] as Task;
      place = parent;
    }
    this.#times[place] = time;
    this.#tasks[place] = task;
  }

  /** Does what is next; says whether there was anything. */
  step(): boolean {
    const [task] = this.#tasks;
    if (!task) return false;
    this.now = this.#times[0] as number;
    const time = this.#times.pop() as number;
    const last = this.#tasks.pop() as Task;
    if (this.#times.length > 0) this.#sink(time, last);
    task();
    return true;
  }

  #sink(time: number, task: Task): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#times.length) break;
      const right = child + 1;
      if (
        right < this.#times.length &&
        (this.#times[right] as number) < (this.#times[child] as number)
      ) {
        child = right;
      }
      if ((this.#times[child] as number) >= time) break;
      this.#times[place] = this.#times[child] as number;
      this.#tasks[place] = this.#tasks[child] as Task;
      place = child;
    }
    this.#times[place] = time;
    this.#tasks[place] = task;
  }
}

/** Does one thing after the other. */
class Server {
  readonly #calendar: Calendar;
  #freeAt = 0;
  busyMs = 0;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  serve(ms: number, done: Task): void {
    this.#freeAt = Math.max(this.#freeAt, this.#calendar.now) + ms;
    this.busyMs += ms;
    this.#calendar.at(this.#freeAt, done);
  }
}

interface Worker {
  readonly cpu: Server;
  free: number;
  waiting: number;
}

/** Plays a run with so many rows, and looks at its second half. */
export function simulateFleet(setting: FleetSetting, rows: number): FleetOutcome {
  const { workers: count, slots, latencyMs, runMs, redisMs, workerMs } = setting;
  const calendar = new Calendar();
  const run = new Server(calendar);
  const redis = new Server(calendar);
  const random = keyedRandom(1, 'fleet');
  const workers = Array.from(
    { length: count },
    (): Worker => ({ cpu: new Server(calendar), free: slots, waiting: 0 }),
  );
  const unitSize = Math.max(1, Math.min(mostOfUnit, Math.floor(slots / unitsAtOnce)));
  const room = Math.max(64, roomPerSlot * slots * count);
  const idle: Worker[] = [];
  let sent = 0;
  let answered = 0;
  let inFlight = 0;
  let gathered = 0;
  let units = 0;
  let begun = 0;
  const half = { at: 0, run: 0, redis: 0 };
  const sum = { queued: 0, busy: 0, samples: 0 };

  const send = () => {
    if (inFlight >= room || sent >= rows) return;
    inFlight++;
    sent++;
    run.serve(runMs / 2, () => {
      gathered++;
      if (gathered === unitSize || sent === rows) {
        gathered = 0;
        redis.serve((redisMs * unitSize) / 2, addUnit);
      }
      send();
    });
  };
  const addUnit = () => {
    units++;
    const worker = idle.pop();
    if (worker) fetch(worker);
  };
  const fetch = (worker: Worker) => {
    if (units === 0) {
      idle.push(worker);
      return;
    }
    units--;
    worker.waiting += unitSize;
    start(worker);
    if (worker.waiting === 0) fetch(worker);
  };
  const start = (worker: Worker) => {
    while (worker.free > 0 && worker.waiting > 0) {
      worker.free--;
      worker.waiting--;
      begun++;
      worker.cpu.serve(workerMs, () =>
        calendar.at(calendar.now + latencyMs * (0.5 + random.next()), () => end(worker)),
      );
    }
  };
  const end = (worker: Worker) => {
    worker.free++;
    begun--;
    const hadWaiting = worker.waiting > 0;
    start(worker);
    if (hadWaiting && worker.waiting === 0) fetch(worker);
    redis.serve(redisMs / 2, () => run.serve(runMs / 2, take));
  };
  const take = () => {
    answered++;
    inFlight--;
    if (answered === rows >> 1) {
      half.at = calendar.now;
      half.run = run.busyMs;
      half.redis = redis.busyMs;
    }
    if (answered > rows >> 1 && sent < rows) {
      sum.samples++;
      sum.queued += inFlight - begun;
      sum.busy += begun;
    }
    send();
  };
  for (const worker of workers) idle.push(worker);
  send();
  const isEnough = () => answered >= rows * 0.9;
  while (!isEnough() && calendar.step());
  const elapsed = calendar.now - half.at;
  return {
    rowsPerSecond: ((answered - (rows >> 1)) / elapsed) * 1000,
    queued: sum.queued / sum.samples,
    runBusy: Math.min(1, (run.busyMs - half.run) / elapsed),
    redisBusy: Math.min(1, (redis.busyMs - half.redis) / elapsed),
    slotsBusy: sum.busy / sum.samples / (slots * count),
  };
}
