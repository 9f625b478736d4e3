/** The stage `local` as the emulator runs it. */
import { existsSync } from 'node:fs';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { keep } from '../cdk/cache.ts';
import { physicalName } from '../cdk/names.ts';
import { parseStage } from '../cdk/parse-stage.ts';
import { stages } from '../cdk/stages.ts';
import { type Stack, type StackOptions, startStack } from '../emulator/stack.ts';
import { bundleOthers, localAssembly } from './template.ts';

const config = parseStage('local', stages.local);

export interface LocalStack extends Stack {
  /** The contract's paths are below it. */
  readonly baseUrl: string;
  /** An origin whose pages may call the API; null if the stage allows none. */
  readonly allowedOrigin: string | null;
  /** Resolves when all functions have bundles; requests wait. Rejects with SynthesisError if one does not compile. */
  readonly bundled: Promise<void>;
}

/** Starts the stage. Rejects as `startStack` does. */
export const startLocalStack = async ({
  assembly = localAssembly,
  ...options
}: Omit<StackOptions, 'onRefusal'> & { readonly assembly?: () => Promise<string> }): Promise<LocalStack> => {
  const baseUrlAt = (origin: string) => `${origin}${config.basePath}`;
  const stack = await startStack(
    {
      assembly,
      prefix: `${physicalName(config)}-`,
      allowedOrigins: config.settings.allowedOrigins,
      parameters: (origin) => ({ BaseUrl: baseUrlAt(origin) }),
    },
    {
      ...options,
      onRefusal: (message) => console.error(`${message}: its line in shared/contract.ts does not grant it`),
    },
  );
  const ended = new AbortController();
  return {
    ...stack,
    baseUrl: baseUrlAt(stack.origin),
    allowedOrigin: config.settings.allowedOrigins[0] ?? null,
    bundled: completeBundles(stack, ended.signal),
    async stop() {
      ended.abort();
      await stack.stop();
    },
  };
};

const completeBundles = async (stack: Stack, ended: AbortSignal): Promise<void> => {
  const pools = contract.map((line: ContractLine) => stack.poolOf(line.function));
  const waiting = pools.filter((pool) => !existsSync(pool.folder()));
  try {
    if (waiting.length > 0) await bundleOthers(ended);
  } catch (error) {
    if (ended.aborted) return;
    throw error;
  }
  for (const pool of waiting) pool.resume();
  for (const pool of pools) keep(pool.folder());
};
