/** The views of a signed-in member, by the first part of their address, in the order of the navigation. */
import type { ComponentType } from 'preact';
import type { User } from '../api/resources.ts';
import { isAdministrator } from '../member.ts';
import type { ViewProps } from '../router.ts';
import type { Texts } from '../texts/dictionary.ts';
import { ChartLine, type IconPath, Plug, Send, Users, Webhook } from '../ui/icons.ts';
import { Deliveries } from './deliveries.tsx';
import { Integrations } from './integrations.tsx';
import { Overview } from './overview.tsx';
import { Staff } from './staff.tsx';
import { Webhooks } from './webhooks.tsx';

export interface View {
  readonly name: keyof Texts['frame']['views'];
  readonly icon: IconPath;
  readonly Content: ComponentType<ViewProps>;
  readonly isFor: (member: User) => boolean;
}

export const views: readonly View[] = [
  { name: 'overview', icon: ChartLine, Content: Overview, isFor: isAdministrator },
  { name: 'webhooks', icon: Webhook, Content: Webhooks, isFor: isAdministrator },
  { name: 'deliveries', icon: Send, Content: Deliveries, isFor: isAdministrator },
  { name: 'integrations', icon: Plug, Content: Integrations, isFor: isAdministrator },
  { name: 'staff', icon: Users, Content: Staff, isFor: () => true },
];

/** Returns the view of an address without a path. */
export const homeOf = (member: User): View['name'] => views.find(({ isFor }) => isFor(member))?.name ?? 'staff';
