/** Allows the integrations of a test to receive events about staff, or takes that away. */
import type { FreshStack, SeededKeys } from './parts.ts';

/** Changes the permission of all integrations. */
export const allowStaffEvents = async (
  stack: FreshStack,
  keys: SeededKeys,
  can_receive_staff_events = true,
): Promise<void> => {
  const { body } = await stack.call('integrations/list', { path: '/admin/integrations/', key: keys.owner });
  for (const { id } of body.integrations as readonly { readonly id: string }[])
    await stack.call('integrations/update', {
      path: `/admin/integrations/${id}/`,
      key: keys.owner,
      body: { integrations: [{ can_receive_staff_events }] },
    });
};
