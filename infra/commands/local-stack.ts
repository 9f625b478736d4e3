/** The stage `local` as the emulator runs it. */
import { physicalName } from '../cdk/names.ts';
import { parseStage } from '../cdk/stage.ts';
import { stages } from '../cdk/stages.ts';
import { type Stack, type StackOptions, startStack } from '../emulator/stack.ts';
import { localAssembly } from './template.ts';

const config = parseStage('local', stages.local);

export interface LocalStack extends Stack {
  /** The contract's paths are below it. */
  readonly baseUrl: string;
  /** An origin whose pages may call the API; null if the stage allows none. */
  readonly allowedOrigin: string | null;
}

/** Starts the stage. Rejects as `startStack` does. */
export const startLocalStack = async (options: Omit<StackOptions, 'onRefusal'>): Promise<LocalStack> => {
  const baseUrlAt = (origin: string) => `${origin}${config.basePath}`;
  const stack = await startStack(
    {
      assembly: localAssembly,
      prefix: `${physicalName(config)}-`,
      allowedOrigins: config.settings.allowedOrigins,
      parameters: (origin) => ({ BaseUrl: baseUrlAt(origin) }),
    },
    {
      ...options,
      onRefusal: (message) => console.error(`${message}: its line in shared/contract.ts does not grant it`),
    },
  );
  return { ...stack, baseUrl: baseUrlAt(stack.origin), allowedOrigin: config.settings.allowedOrigins[0] ?? null };
};
