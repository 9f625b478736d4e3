/**
 * The groups of functions. Each is a stack, so stacks stay far below CloudFormation's limit of 500 resources, and has
 * one log group, so that one query (of at most 50 log groups) covers all logs.
 */
import type { ContractLine } from '../../shared/contract.ts';

/** In the order in which their stacks are deployed. */
export const functionGroups = ['delivery', 'mailing', 'publishing', 'admin'] as const;

export type FunctionGroup = (typeof functionGroups)[number];

const groupOfFunction: Readonly<Record<string, FunctionGroup>> = {
  'events/publish': 'publishing',
  'inbound/ghost': 'publishing',
  'mail/send': 'mailing',
  'invites/record-feedback': 'mailing',
};

const groupOfTrigger: Readonly<Record<ContractLine['kind'], FunctionGroup>> = {
  endpoint: 'admin',
  fallback: 'admin',
  command: 'admin',
  queue: 'delivery',
  schedule: 'delivery',
  bus: 'delivery',
};

/** Returns the group of a function: its trigger decides, except for endpoints that publish or mail. */
export const groupOf = (line: ContractLine): FunctionGroup =>
  groupOfFunction[line.function] ?? groupOfTrigger[line.kind];
