import { acutePlans } from './acute-plans.ts';
import type { CarePlanTemplate } from './care-plan-template.ts';
import { longTermPlans } from './long-term-plans.ts';

export const carePlanTemplates: readonly CarePlanTemplate[] = [...longTermPlans, ...acutePlans];
