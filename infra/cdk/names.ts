/** Physical names, as consoles, logs and policies show them: fixed, so that stacks refer to others without exports. */
import type { ContractLine } from '../../shared/contract.ts';
import type { FunctionGroup } from './function-groups.ts';
import type { StageConfig } from './stage.ts';

/** Returns `masthead-dev-events-dead` for the parts `events` and `dead`; slashes become dashes. */
export const physicalName = (config: StageConfig, ...parts: readonly string[]): string =>
  [config.namePrefix, config.name, ...parts].join('-').replaceAll('/', '-');

/** Returns the name of the table that the functions use. */
export const tableName = (config: StageConfig): string => config.tableName ?? physicalName(config);

/** Returns `/masthead/dev/delivery` for the functions of this group, and `/masthead/dev/access` for the API. */
export const logGroupName = (config: StageConfig, name: FunctionGroup | 'access'): string =>
  `${stagePath(config)}${name}`;

/** Returns the construct id of a function: `WebhooksCreate` for `webhooks/create`. */
export const constructIdOf = (line: ContractLine): string =>
  line.function.replace(/(^|[/-])([a-z])/g, (_match, _separator, letter: string) => letter.toUpperCase());

/** Returns the path of log groups, parameters and the functions' roles in IAM. The stage's key serves these roles. */
export const stagePath = (config: StageConfig): string => `/${config.namePrefix}/${config.name}/`;

/** Returns the name of the parameter in Parameter Store from which the functions' stacks read the URL of the API. */
export const baseUrlParameter = (config: StageConfig): string => `${stagePath(config)}base-url`;

/** Returns the name of a parameter in which the functions' stacks read what the stack `network` has made. */
export const networkParameter = (config: StageConfig, name: 'subnets' | 'security-group' | 'addresses'): string =>
  baseUrlParameter(config).replace(/base-url$/, name);

/** The alias that the callers of a function with canary deployments invoke. */
export const liveAlias = 'live';

/** AWS prescribes its prefix: https://docs.aws.amazon.com/waf/latest/developerguide/logging-cw-logs.html */
export const webAclLogGroup = (config: StageConfig): string => `aws-waf-logs-${physicalName(config)}`;
