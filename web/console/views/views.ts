/** The views of a signed-in member, by the first part of their address, in the order of the navigation. */
import { ChartLine, type IconNode, Send, Webhook } from 'lucide';
import type { ComponentType } from 'preact';
import type { Place } from '../router.ts';
import type { Texts } from '../texts/dictionary.ts';
import { Deliveries } from './deliveries.tsx';
import { Overview } from './overview.tsx';
import { Webhooks } from './webhooks.tsx';

export interface ViewProps {
  readonly place: Place;
}

export interface View {
  readonly name: keyof Texts['frame']['views'];
  readonly icon: IconNode;
  readonly Content: ComponentType<ViewProps>;
}

export const views: readonly View[] = [
  { name: 'overview', icon: ChartLine, Content: Overview },
  { name: 'webhooks', icon: Webhook, Content: Webhooks },
  { name: 'deliveries', icon: Send, Content: Deliveries },
];

/** The view of an address without a path. */
export const home = 'overview';
