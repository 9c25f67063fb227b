import { conceptText, listItems, getChild, textAt } from '../card/parts.ts';
import type { CardReference, NodeAtPointer } from '../card/parts.ts';
import { activitiesAt, type ActivityReading } from './activity.ts';
import type { PlanTimes } from '../timeline/plan-times.ts';
import { referencesAt, referenceWithin, type Contained } from '../card/contained.ts';

export interface ReadablePlan {
  readonly times: PlanTimes;
  readonly activities: readonly ActivityReading[];
  readonly goals: readonly GoalReading[];
  readonly addresses: readonly CardReference[];
  readonly team: readonly CardReference[];
}

export interface GoalReading {
  readonly goal: CardReference;
  /** Status of a contained goal; empty for other goals. */
  readonly status: string;
  readonly addresses: readonly CardReference[];
  /** Titles of the activities with this goal. */
  readonly served: readonly string[];
}

/** Returns a CarePlan as a plan with activities, goals and team (FHIR R4 careplan.html). */
export function planAt(root: NodeAtPointer, contained: Contained, times: PlanTimes): ReadablePlan {
  const references = (key: string) => referencesAt(getChild(root, key), contained);
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
  const containedGoal = contained.get(goal.reference);
  return {
    goal,
    status: containedGoal ? textAt(getChild(containedGoal, 'lifecycleStatus')) : '',
    addresses: containedGoal ? referencesAt(getChild(containedGoal, 'addresses'), contained) : [],
    served: activities
      .filter(({ goals }) => goals.some(({ reference }) => reference !== '' && reference === goal.reference))
      .map(({ title }) => title),
  };
}

/** Returns the participants of a contained team. */
function membersOf(team: CardReference, contained: Contained): CardReference[] {
  const containedTeam = contained.get(team.reference);
  if (!containedTeam) return [];
  return listItems(getChild(containedTeam, 'participant')).flatMap((participant) => {
    const [member] = referencesAt(getChild(participant, 'member'), contained);
    const role = listItems(getChild(participant, 'role')).map(conceptText).find(Boolean) ?? '';
    if (!member) return role === '' ? [] : [{ reference: '', display: role, pointer: participant.pointer }];
    const name = member.display || member.reference;
    const display = role === '' ? name : `${name}, ${role}`;
    return [referenceWithin(participant, { ...member, display, pointer: participant.pointer })];
  });
}
