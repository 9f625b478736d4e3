/** Has a real Ghost send each of its 29 events, by making the changes that an editor makes. */
import type { RealGhost } from './site.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/**
 * Makes all changes, one after the other. `settled` waits until Ghost has sent what a change caused, because Ghost
 * reads the database anew for each webhook. @throws Error if Ghost refuses a change
 */
export const causeAllEvents = async ({ call }: RealGhost, settled: () => Promise<unknown>): Promise<void> => {
  const ghost = {
    call: async (...request: Parameters<RealGhost['call']>) => {
      const answer = await call(...request);
      await settled();
      return answer;
    },
  };
  const { tags } = await ghost.call('POST', '/tags/', { tags: [{ name: 'Größe' }] });
  await ghost.call('PUT', `/tags/${tags[0].id}/`, { tags: [{ description: 'Edited “here”' }] });
  for (const kind of ['posts', 'pages'] as const) await publishAndDelete(ghost, kind, tags[0].id);
  await ghost.call('DELETE', `/tags/${tags[0].id}/`);
  const { members } = await ghost.call('POST', '/members/', {
    members: [{ email: 'reader@example.com', name: 'Réader' }],
  });
  await ghost.call('PUT', `/members/${members[0].id}/`, { members: [{ note: 'Edited' }] });
  await ghost.call('DELETE', `/members/${members[0].id}/`);
};

const publishAndDelete = async (
  ghost: Pick<RealGhost, 'call'>,
  kind: 'posts' | 'pages',
  tag: string,
): Promise<void> => {
  const made = await ghost.call('POST', `/${kind}/?source=html`, {
    [kind]: [{ title: `A ${kind} 😀`, html: '<p class="lead">Text & “more”</p>' }],
  });
  let { id, updated_at } = made[kind][0];
  const change = async (fields: object): Promise<void> => {
    // Ghost stores times in whole seconds, and refuses a change to anything newer.
    ({ id, updated_at } = (await ghost.call('PUT', `/${kind}/${id}/`, { [kind]: [{ updated_at, ...fields }] }))[
      kind
    ][0]);
  };
  await change({ title: `Edited ${kind}` });
  await change({ tags: [{ id: tag }] });
  await change({ tags: [] });
  await change({ status: 'scheduled', published_at: inDays(2) });
  await change({ published_at: inDays(3) });
  await change({ status: 'draft' });
  await change({ status: 'published', published_at: inDays(-1) });
  await change({ title: `Published ${kind}, edited` });
  await change({ status: 'draft' });
  await ghost.call('DELETE', `/${kind}/${id}/`);
};

/** Publishes a post whose HTML has about `bytes` bytes. */
export const publishLarge = (ghost: RealGhost, bytes: number): Promise<unknown> => {
  const paragraph = '<p class="text">The quick brown fox “jumps” over the lazy dog, and nobody minds.</p>';
  const html = paragraph.repeat(Math.ceil(bytes / paragraph.length));
  return ghost.call('POST', '/posts/?source=html', { posts: [{ title: 'A long read', html, status: 'published' }] });
};
