/** Starts the embedded parts (DynamoDB, SQS, SES) once for all test files of a run; tests use `parts.ts`. */
import type { TestProject } from 'vitest/node';
import { startDynoxide } from '../../infra/emulator/parts/dynoxide.ts';
import { startFauxqs } from '../../infra/emulator/parts/fauxqs.ts';
import { startSes } from '../../infra/emulator/parts/ses.ts';
import { compileFunctions } from './parts-functions.ts';
import { readTemplate, reportUsage, type TestTemplate } from './parts-template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    parts: { readonly dynamodb: string; readonly sqs: string; readonly ses: string };
    template: TestTemplate;
    functions: string;
  }
}

export interface StartedParts {
  readonly template: TestTemplate;
  stop(): Promise<void>;
}

/** Starts the parts and provides their addresses and the template to the tests. */
export const startParts = async (project: Pick<TestProject, 'provide'>): Promise<StartedParts> => {
  const sqs = startFauxqs();
  const [dynamodb, sqsUrl, ses, template, functions] = await Promise.all([
    startDynoxide(),
    sqs.app().then((app) => app.listen({ port: 0, host: '127.0.0.1' })),
    startSes(),
    readTemplate(),
    compileFunctions(),
  ]);
  project.provide('parts', { dynamodb: dynamodb.url, sqs: sqsUrl, ses: ses.url });
  project.provide('template', template);
  project.provide('functions', functions);
  return {
    template,
    async stop() {
      await Promise.all([dynamodb.stop(), sqs.stop(), ses.stop()]);
    },
  };
};

/** The `globalSetup` of vitest: starts the parts; after the last test stops them and reports unused grants. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, stop } = await startParts(project);
  project.onTestsRerun(async () => project.provide('functions', await compileFunctions()));
  return async () => {
    await stop();
    const unused = await reportUsage(project, template);
    for (const one of unused)
      console.error(`${template.transactions === 'together' ? 'not tested' : 'unused grant'}: ${one}`);
    if (unused.length > 0) {
      console.error(
        template.transactions === 'together'
          ? 'Add a file of tests that invokes them to this run (.ci/run).'
          : "Remove them from the functions' lines in shared/contract.ts, or add a test that uses them.",
      );
      process.exitCode = 1;
    }
  };
}
