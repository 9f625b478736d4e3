/** Query parameters: lists of names, and errors in one form. */
import { ValidationError } from '../foundation/errors.ts';
import { parseTime } from '../foundation/iso-time.ts';
import { shortened } from './body.ts';
import { describe } from './items.ts';

/** Returns the comma-separated names of a parameter, such as `include`; without it none. */
export const namesIn = (list = ''): string[] => list.split(',').map((name) => name.trim());

/** Returns the error of a query parameter: `violation` completes the sentence after the parameter, such as "must be …". */
export const invalidParameter = (
  field: string,
  value: string,
  rule: string,
  violation: string,
  limit: string | number | null = null,
  help = `Correct \`${field}\` and retry, or omit it.`,
): ValidationError =>
  new ValidationError(`\`${field}=${shortened(value, 50)}\` ${violation}.`, {
    property: field,
    help,
    details: [{ index: null, field, rule, limit, received: describe(value) }],
  });

/** Parses a time parameter to epoch ms; undefined if it is missing. @throws ValidationError */
const readTime = (name: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const time = parseTime(value);
  if (time === undefined)
    throw invalidParameter(
      name,
      value,
      'time',
      'is not a time such as 2026-11-21T09:00:00Z or a day such as 2026-11-21',
      null,
      // A raw `+` in a query is a space.
      / \d{2}:?\d{2}$/.test(value)
        ? `Write the \`+\` of a time zone as \`%2B\`: \`${name}=${value.replace(/ (?=\d{2}:?\d{2}$)/, '%2B').slice(0, 50)}\`.`
        : undefined,
    );
  return time;
};

/** Times in epoch ms; `since` is included, `until` is not. */
export interface TimeRange {
  readonly since?: number;
  readonly until?: number;
}

/**
 * Returns the range of `?since=&until=`. Both times may be equal, which makes an empty range: a client that continues where it ended finds nothing
 * new.
 * @throws ValidationError for an invalid time, and for an end before the beginning
 */
export const readTimeRange = ({ since, until }: Readonly<Record<string, string | undefined>>): TimeRange => {
  const from = readTime('since', since);
  const to = readTime('until', until);
  if (until !== undefined && from !== undefined && to !== undefined && to < from)
    throw invalidParameter('until', until, 'not_before_since', `is before \`since\`, ${since}`);
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) };
};
