/** Reads the integrations of a stage in the form of a file, and carries out the steps of a plan. */
import type { Caller } from '../../command-line/client.ts';
import { RequestError, request } from '../api/request.ts';
import { type Options, only, read } from '../api/resources.ts';
import { webhooksByIntegration } from '../commands/find.ts';
import { startProgress } from '../output/progress.ts';
import { type Group, groupOf, type Hook, hookOf } from './configuration.ts';
import type { Step } from './plan.ts';

const concurrency = 8;

const optionsOf = async (caller: Caller, id: string): Promise<Options> =>
  only(read.options(await request(caller, 'GET', `/admin/webhooks/${id}/options/`)));

/** Reads all integrations with their webhooks and their options. @throws RequestError */
export const readStage = async (caller: Caller): Promise<readonly Group[]> => {
  const groups: Group[] = [];
  for await (const { integration, webhooks } of webhooksByIntegration(caller)) {
    const hooks: Hook[] = [];
    const open = webhooks.values();
    const worker = async () => {
      for (const webhook of open)
        hooks.push(hookOf(webhook, webhook.has_options ? await optionsOf(caller, webhook.id) : undefined));
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    groups.push(groupOf(integration, hooks));
  }
  return groups;
};

/** A new integration has a key, which the stage has shown to this command only. */
export interface NewKey {
  readonly integration: string;
  readonly id: string;
}

/** Carries out a plan; returns the keys of new integrations. @throws RequestError with the step and what is done */
export const applySteps = async (
  caller: Caller,
  stage: readonly Group[],
  steps: readonly Step[],
): Promise<NewKey[]> => {
  const ids = new Map(stage.map(({ name, id }) => [name, id]));
  const keys: NewKey[] = [];
  const progress = startProgress('changes', steps.length);
  let done = 0;
  try {
    for (const step of steps) {
      const { method, noun, id, integration, body } = step;
      const item = { ...body, ...(integration !== undefined && { integration_id: ids.get(integration) }) };
      // Only a repeated creation of an integration makes two.
      const isHarmless = noun === 'webhooks' || method !== 'POST';
      const sent = method === 'DELETE' ? undefined : { [noun]: [item] };
      const answer = await request(caller, method, `/admin/${noun}/${id === undefined ? '' : `${id}/`}`, sent, {
        isHarmless,
      }).catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        const message =
          `${step.title}: ${error.message}\n${done} of ${steps.length} changes are made. ` +
          'Run the command again for the others.';
        throw new RequestError(message, error.exitCode, error.status);
      });
      if (noun === 'integrations' && method === 'POST') {
        const { name, id: made, api_keys = [] } = only(read.integrations(answer));
        ids.set(name, made);
        keys.push(...api_keys.map((key) => ({ integration: name, id: key.id })));
      }
      done++;
      progress.update(done);
    }
  } finally {
    progress.stop();
  }
  return keys;
};
