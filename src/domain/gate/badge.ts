import { z } from 'zod';

const name = z.string().trim().min(1).max(200);

/**
 * The body of the topic `badge`. It names who was read and where; what that person may do, the site's own directory says,
 * never the message. Unknown keys are left alone.
 */
export const badgeMessageSchema = z
  .object({
    /** Unique to one reading: a delivery of it again does nothing. */
    id: name,
    ts: z.iso.datetime({ offset: true }).optional(),
    station: name,
    /** The person's id in the directory, or the number of the badge; one of the two. */
    person: name.optional(),
    badge: name.optional(),
    /** `out` ends it before its time. */
    state: z.enum(['in', 'out']).default('in'),
  })
  .refine(({ person, badge }) => person !== undefined || badge !== undefined, {
    path: ['person'],
    message: 'names neither a person nor a badge',
  });
export type BadgeMessage = z.infer<typeof badgeMessageSchema>;
