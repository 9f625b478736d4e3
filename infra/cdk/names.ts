/**
 * Physical names: what people meet in the console, in logs and in policies. They are fixed, so that one stack can speak of what another
 * one makes without an export that would tie the two together.
 */
import type { ContractLine } from '../../shared/contract.ts';
import type { StageConfig } from './stage.ts';

/** `masthead-dev-events-dead` for the parts `events` and `dead`; slashes become dashes. */
export function physicalName(config: StageConfig, ...parts: readonly string[]): string {
  return ['masthead', config.name, ...parts].join('-').replaceAll('/', '-');
}

/** `/masthead/dev/webhooks/create` for `functions/webhooks/create.ts`. */
export function logGroupName(config: StageConfig, name: string): string {
  return `/masthead/${config.name}/${name}`;
}

/** `webhooks/create` → `WebhooksCreate`, the construct id of what belongs to a function. */
export function constructIdOf(line: ContractLine): string {
  return line.function.replace(/(^|[/-])([a-z])/g, (_match, _separator, letter: string) => letter.toUpperCase());
}
