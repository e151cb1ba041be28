// Endpoint 14: join the waitlist.

import type { Static } from 'typebox';
import { type Fault, FaultError, valueFault } from '../../contract/faults.ts';
import { WaitlistAnswer, WaitlistBody } from '../../contract/service.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';

type Body = Static<typeof WaitlistBody>;

export function waitlistRoutes(context: RouteContext): Route[] {
  return [
    defineLooseRoute({
      method: 'POST',
      path: `${API_PREFIX}/waitlist`,
      isWaitlist: true,
      body: WaitlistBody,
      document: {
        operationId: 'joinWaitlist',
        tag: 'Service',
        summary: 'Join the waitlist',
        description:
          'An agent is identified by wallet, a person by e-mail; registering again returns the original position.',
        ok: WaitlistAnswer,
        also: [400, 413, 415],
      },
      async handle({ body }) {
        const fault = findMissing(body);
        if (fault) throw new FaultError([fault]);
        const { position } = await context.withDeadline(
          context.store.waitlist.register({
            type: body.type as 'agent' | 'human',
            useCase: body.case,
            name: body.name ?? null,
            wallet: body.wallet ?? null,
            email: body.email ?? null,
            createdTs: context.wallClock.now(),
          }),
        );
        return okUncached({ status: 'registered', position });
      },
    }),
  ];
}

/** Cross-field rules, checked only once every field is valid and reported one at a time. */
function findMissing(body: Body): Fault | null {
  const needed = body.type === 'agent' ? (['name', 'wallet'] as const) : (['email'] as const);
  const missing = needed.find((field) => (body[field] ?? null) === null);
  return missing ? valueFault(['body'], `${missing} is required when type=${body.type}`) : null;
}
