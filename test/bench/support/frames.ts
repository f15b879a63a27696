import type { CDPSession, Page } from 'playwright';
import { percentile } from './figures.ts';

/** A fast turn of a mouse wheel, in pixels per second. */
const SPEED = 3000;
const DISPLAY_FRAME_MS = 1000 / 60;
/** A frame later than this missed the display's next refresh. */
const LATE_MS = DISPLAY_FRAME_MS * 1.5;

/**
 * Frames and work of the main thread while a page scrolls, in milliseconds. Work is CPU time: other programs on the
 * machine delay frames, but do not add work.
 */
export interface ScrollFigures {
  seconds: number;
  framesPerSecond: number;
  /** Share of frames that missed a refresh of a display with 60 hertz. */
  late: number;
  longestFrame: number;
  /** Per second of scrolling. */
  busy: { task: number; script: number; style: number; layout: number };
  /** Per frame: all tasks from one frame to the next. */
  work: { p50: number; p95: number; p99: number };
  longestTask: number;
  /** Number of tasks longer than a frame of the display, and than 50 ms. */
  longTasks: readonly [number, number];
}

/** Turns the mouse wheel until the page ends, or for `distance` pixels. */
export async function scrollByWheel(page: Page, direction: 1 | -1, distance = Infinity): Promise<void> {
  const client = await page.context().newCDPSession(page);
  let left = distance;
  for (let rest = await restOf(page, direction); left > 0; rest = await restOf(page, direction)) {
    if (rest <= 1 && direction === -1) break;
    if (rest <= 1) {
      // The next rows may be loading.
      await page.waitForFunction(
        () =>
          document.documentElement.scrollHeight - innerHeight - scrollY > 1 ||
          document.querySelector('.list-more') === null,
      );
      rest = await restOf(page, direction);
      if (rest <= 1) break;
    }
    const length = Math.min(rest, left, SPEED * 5);
    await client.send('Input.synthesizeScrollGesture', {
      ...{ x: 640, y: 450, yDistance: -direction * length, speed: SPEED, gestureSourceType: 'mouse' },
    });
    left -= length;
  }
  await client.detach();
}

/** Scrolls down by the same distance in each of 240 frames: a busy machine does not change the work of a frame. */
export async function scrollByFrame(page: Page): Promise<void> {
  await page.evaluate(async (step) => {
    for (let count = 0; count < 240; count++) {
      scrollBy(0, step);
      await new Promise(requestAnimationFrame);
    }
  }, SPEED / 60);
}

/** Measures while the page scrolls. */
export async function measureScroll(page: Page, scroll: () => Promise<void>): Promise<ScrollFigures> {
  const client = await page.context().newCDPSession(page);
  const trace = await recordTasks(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(client);
  await startFrames(page);
  await scroll();
  const frames = await endFrames(page);
  const after = await metrics(client);
  await client.detach();
  const seconds = frames.reduce((sum, each) => sum + each, 0) / 1000;
  const perSecond = (name: string) => (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000) / seconds;
  return {
    ...{ seconds, framesPerSecond: frames.length / seconds },
    ...{ late: frames.filter((each) => each > LATE_MS).length / frames.length, longestFrame: Math.max(...frames) },
    busy: {
      ...{ task: perSecond('TaskDuration'), script: perSecond('ScriptDuration') },
      ...{ style: perSecond('RecalcStyleDuration'), layout: perSecond('LayoutDuration') },
    },
    ...describeWork(await trace.end()),
  };
}

function describeWork({ tasks, frames }: Trace): Pick<ScrollFigures, 'work' | 'longestTask' | 'longTasks'> {
  const count = (limit: number) => tasks.filter((each) => each > limit).length;
  return {
    work: { p50: percentile(frames, 0.5), p95: percentile(frames, 0.95), p99: percentile(frames, 0.99) },
    longestTask: Math.max(...tasks),
    longTasks: [count(DISPLAY_FRAME_MS), count(50)],
  };
}

async function metrics(client: CDPSession): Promise<Map<string, number>> {
  const { metrics: list } = await client.send('Performance.getMetrics');
  return new Map(list.map(({ name, value }) => [name, value]));
}

async function restOf(page: Page, direction: 1 | -1): Promise<number> {
  return await page.evaluate(
    (isDown) => (isDown ? document.documentElement.scrollHeight - innerHeight - scrollY : scrollY),
    direction === 1,
  );
}

async function startFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const durations: number[] = [];
    let last = performance.now();
    const next = (now: number) => {
      durations.push(now - last);
      last = now;
      if (Object.hasOwn(globalThis, 'durations')) requestAnimationFrame(next);
    };
    Object.assign(globalThis, { durations });
    requestAnimationFrame(next);
  });
}

/** Ends the measurement; returns the duration of each frame. */
async function endFrames(page: Page): Promise<number[]> {
  return await page.evaluate(() => {
    const { durations } = globalThis as unknown as { durations: number[] };
    Reflect.deleteProperty(globalThis, 'durations');
    return durations.slice(1);
  });
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  /** CPU time in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** CPU time of the main thread in milliseconds. */
interface Trace {
  tasks: number[];
  frames: number[];
}

/** Records the tasks of the page's main thread. */
async function recordTasks(page: Page): Promise<{ end: () => Promise<Trace> }> {
  const browser = page.context().browser();
  if (!browser) throw new Error('There is no browser');
  const client = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const includedCategories = ['__metadata', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await client.send('Tracing.start', { traceConfig: { includedCategories } });
  return {
    async end() {
      const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
      await client.send('Tracing.end');
      await complete;
      await client.detach();
      return readTrace(events);
    },
  };
}

/** Reads the trace of the busiest main thread: other pages of the browser are idle. */
function readTrace(events: readonly TraceEvent[]): Trace {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const byThread = new Map(events.filter(isMain).map((event) => [threadOf(event), [] as TraceEvent[]]));
  for (const event of events) byThread.get(threadOf(event))?.push(event);
  const traces = [...byThread.values()].map((each) => readThread(each.toSorted((one, other) => one.ts - other.ts)));
  const sum = (durations: readonly number[]) => durations.reduce((total, each) => total + each, 0);
  return traces.toSorted((one, other) => sum(other.tasks) - sum(one.tasks))[0] ?? { tasks: [], frames: [] };
}

function readThread(events: readonly TraceEvent[]): Trace {
  const tasks: number[] = [];
  const frames: number[] = [];
  let frame: number | null = null;
  for (const { name, tdur = 0 } of events) {
    if (name === 'RunTask') {
      tasks.push(tdur / 1000);
      if (frame !== null) frame += tdur / 1000;
    }
    // The task of this frame has started already, and counts for the previous one.
    if (name === 'FireAnimationFrame') {
      if (frame !== null) frames.push(frame);
      frame = 0;
    }
  }
  return { tasks, frames };
}
