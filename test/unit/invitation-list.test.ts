/** The pasted list of people to invite: what is read from each line, and which errors are found before anything is sent. */
import { describe, expect, it } from 'vitest';
import type { Role } from '../../shared/accounts/resource.ts';
import type { RoleId } from '../../shared/foundation/ids.ts';
import { readList } from '../../web/console/invitation-list.ts';

const role = (name: string): Role => {
  const at = '2026-11-21T09:00:00.000Z';
  return { id: name as RoleId, name, description: name, created_at: at, updated_at: at };
};
const author = role('Author');
const editor = role('Editor');
const context = {
  roles: [author, editor],
  role: author,
  roleName: (name: string) => (name === 'Editor' ? 'Redaktion' : name),
  members: new Set(['member@example.org']),
  open: new Set(['open@example.org']),
};
const read = (text: string) => readList(text, context);

describe('a line', () => {
  it.each([
    ['an address', 'ada@example.org', author],
    ['an address with spaces around it', '  ada@example.org  ', author],
    ['a name before the address', 'Ada Lovelace <ada@example.org>', author],
    ['a role after the address, in any case', 'ada@example.org, editor', editor],
    ['a role as the console calls it', 'ada@example.org, redaktion', editor],
    ['a role after a tab, as a spreadsheet copies it', 'ada@example.org\tEditor', editor],
  ])('may be %s', (_, text, expected) => {
    expect(read(text)).toEqual([{ line: 1, email: 'ada@example.org', role: expected, replaces: false }]);
  });

  it('may have several addresses, each with a role', () => {
    const entries = read('ada@example.org, Editor; grace@example.org\njean@example.org');
    expect(entries.map(({ line, email, role: own }) => [line, email, own?.name])).toEqual([
      [1, 'ada@example.org', 'Editor'],
      [1, 'grace@example.org', 'Author'],
      [2, 'jean@example.org', 'Author'],
    ]);
  });

  it('may be empty, and still counts for the line numbers', () => {
    expect(read('\n\nada@example.org\n').map(({ line }) => line)).toEqual([3]);
  });

  it.each([
    ['no address', 'Ada', { kind: 'address' }],
    ['an address that SES would refuse', 'ada@example', { kind: 'address' }],
    ['a role that cannot be assigned', 'ada@example.org, King', { kind: 'role', name: 'King' }],
    ['the address of a member, in any case', 'Member@example.org', { kind: 'member' }],
  ])('is refused with %s', (_, text, problem) => {
    expect(read(text)).toMatchObject([{ problem }]);
  });

  it('is refused if an earlier line has the same address; the error names that line', () => {
    expect(read('ada@example.org\n\nADA@example.org')[1]).toMatchObject({ problem: { kind: 'repeated', line: 1 } });
  });

  it('may have the address of an open invitation, which it replaces', () => {
    expect(read('open@example.org')).toEqual([{ line: 1, email: 'open@example.org', role: author, replaces: true }]);
  });
});
