/** What functions log about their own time and memory, because Lambda itself logs only failed invocations. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeLog } from '../support/log-lines.ts';

const { lines } = takeLog();

/** Loads the module like a function with that much memory. */
const load = async (memoryMb?: string) => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', memoryMb);
  vi.stubEnv('LOG_LEVEL', undefined);
  vi.resetModules();
  return import('../../shared/aws/watched.ts');
};

const usesMb = (mb: number) => {
  vi.spyOn(process, 'resourceUsage').mockReturnValue({ ...process.resourceUsage(), maxRSS: mb * 1024 });
};

describe('an invocation of a function with a timeout of 10 s', () => {
  const invoke = async (ms: number, work = async () => 'result') => {
    const { watched } = await load();
    let remaining = 10_000;
    const handler = watched(async (_event: object, _context) => {
      remaining -= ms;
      return work();
    });
    return handler({}, { getRemainingTimeInMillis: () => remaining });
  };

  it('is logged as near its timeout if it takes more than 80 % of it', async () => {
    expect(await invoke(8001)).toBe('result');
    expect(lines()).toMatchObject([{ level: 'WARN', message: 'near timeout', duration_ms: 8001, timeout_ms: 10_000 }]);
  });

  it('is not logged if it takes less', async () => {
    expect(await invoke(8000)).toBe('result');
    expect(lines()).toEqual([]);
  });

  it('is also logged if it fails, and still fails', async () => {
    const failing = invoke(9000, () => Promise.reject(new Error('no table')));
    await expect(failing).rejects.toThrow('no table');
    expect(lines()).toMatchObject([{ message: 'near timeout', duration_ms: 9000 }]);
  });
});

describe('a function with 512 MB', () => {
  const given = { getRemainingTimeInMillis: () => 10_000 };
  const start = async (memoryMb?: string) => {
    const { watched } = await load(memoryMb);
    const handler = watched(async () => {});
    return () => handler({}, given);
  };

  beforeEach(() => {
    usesMb(40);
  });

  it('logs its memory use and the duration of INIT after the first invocation', async () => {
    const invoke = await start('512');
    await invoke();
    await invoke();
    expect(lines()).toMatchObject([
      { level: 'INFO', message: 'memory used', used_mb: 40, memory_mb: 512, init_ms: expect.any(Number) },
    ]);
  });

  it('logs its memory use again with each further tenth of its limit', async () => {
    const invoke = await start('512');
    for (const mb of [60, 102, 103, 120, 461, 470, 512]) {
      usesMb(mb);
      await invoke();
    }
    expect(lines().map(({ used_mb }) => used_mb)).toEqual([60, 103, 461, 512]);
    expect(lines().filter((line) => 'init_ms' in line)).toHaveLength(1);
  });

  it('logs no memory use outside of Lambda, where there is no limit', async () => {
    const invoke = await start();
    await invoke();
    expect(lines()).toEqual([]);
  });
});
