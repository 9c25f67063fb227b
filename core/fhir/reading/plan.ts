import { conceptText, each, below, textAt } from '../card/parts.ts';
import type { CardReference, Place } from '../card/parts.ts';
import { activitiesAt, type ActivityReading } from './activity.ts';
import type { PlanTimes } from '../timeline/plan-times.ts';
import { referencesAt, referenceWithin, type Contained } from '../card/contained.ts';

export interface PlanReading {
  /** When it and its activities take place. */
  readonly times: PlanTimes;
  readonly activities: readonly ActivityReading[];
  readonly goals: readonly GoalReading[];
  readonly addresses: readonly CardReference[];
  readonly team: readonly CardReference[];
}

export interface GoalReading {
  readonly goal: CardReference;
  /** Where the record holds the goal itself. */
  readonly status: string;
  readonly addresses: readonly CardReference[];
  /** Titles of the activities that name it. */
  readonly served: readonly string[];
}

/** A CarePlan (FHIR R4 careplan.html) as a plan: what is to be done, what for, and by whom. */
export function planAt(root: Place, contained: Contained, times: PlanTimes): PlanReading {
  const references = (key: string) => referencesAt(below(root, key), contained);
  const activities = activitiesAt(root, contained, times);
  return {
    times,
    activities,
    goals: references('goal').map((goal) => goalOf(goal, activities, contained)),
    addresses: references('addresses'),
    team: references('careTeam').flatMap((team) => [team, ...membersOf(team, contained)]),
  };
}

function goalOf(
  goal: CardReference,
  activities: readonly ActivityReading[],
  contained: Contained,
): GoalReading {
  const within = contained.get(goal.reference);
  return {
    goal,
    status: within ? textAt(below(within, 'lifecycleStatus')) : '',
    addresses: within ? referencesAt(below(within, 'addresses'), contained) : [],
    served: activities
      .filter(({ goals }) => goals.some(({ reference }) => reference !== '' && reference === goal.reference))
      .map(({ title }) => title),
  };
}

/** Who is in a team that the record itself holds. */
function membersOf(team: CardReference, contained: Contained): CardReference[] {
  const within = contained.get(team.reference);
  if (!within) return [];
  return each(below(within, 'participant')).flatMap((one) => {
    const [member] = referencesAt(below(one, 'member'), contained);
    const role = each(below(one, 'role')).map(conceptText).find(Boolean) ?? '';
    if (!member) return role === '' ? [] : [{ reference: '', display: role, pointer: one.pointer }];
    const name = member.display || member.reference;
    const display = role === '' ? name : `${name}, ${role}`;
    return [referenceWithin(one, { ...member, display, pointer: one.pointer })];
  });
}
