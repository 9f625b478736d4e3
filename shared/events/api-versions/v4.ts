/** Converts v5 to v4: the names of newsletters and tiers before Ghost 5. */
import { type Body, changeParts, rename } from './body.ts';

/**
 * `email_segment` was `email_recipient_filter` (TryGhost/Ghost pull request 14798 and Ghost 5's mapper of posts), and
 * members' `tiers` were `products` (pull requests 14790 and 14849).
 */
export const toV4 = (body: Body): Body => {
  const post = changeParts(body, 'post', (fields) => rename(fields, 'email_segment', 'email_recipient_filter'));
  const page = changeParts(post, 'page', (fields) => rename(fields, 'email_segment', 'email_recipient_filter'));
  return changeParts(page, 'member', (fields) => rename(fields, 'tiers', 'products'));
};
