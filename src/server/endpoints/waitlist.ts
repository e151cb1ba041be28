// Endpoint 14: join the waitlist.

import type { Static } from 'typebox';
import { named } from '../../contract/envelope.ts';
import { type Fault, FaultError, valueFault } from '../../contract/faults.ts';
import { Type } from '../../contract/schema.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';

const maybe = (schema: ReturnType<typeof Type.String>) => Type.Optional(Type.Union([schema, Type.Null()]));

export const WaitlistBody = Type.Object({
  type: Type.Enum(['agent', 'human']),
  case: Type.String({ maxLength: 500, description: 'What you would use the service for' }),
  name: maybe(
    Type.String({ maxLength: 50, pattern: '^[a-zA-Z0-9 _-]+$', description: 'Required if type=agent' }),
  ),
  wallet: maybe(
    Type.String({ maxLength: 42, pattern: '^0x[a-fA-F0-9]{40}$', description: 'Required if type=agent' }),
  ),
  email: maybe(
    Type.String({
      maxLength: 150,
      pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
      description: 'Required if type=human',
    }),
  ),
});

const WaitlistAnswer = named(
  'WaitlistAnswer',
  Type.Object({ status: Type.String(), position: Type.Integer({ minimum: 1 }) }),
);

export function waitlistRoutes(context: RouteContext): Route[] {
  return [
    defineRoute({
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
            type: body.type,
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
function findMissing(body: Static<typeof WaitlistBody>): Fault | null {
  const needed = body.type === 'agent' ? (['name', 'wallet'] as const) : (['email'] as const);
  const missing = needed.find((field) => (body[field] ?? null) === null);
  return missing ? valueFault(['body'], `${missing} is required when type=${body.type}`) : null;
}
