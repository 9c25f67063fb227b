/** What the inspector beside the editor can show, in the order of its tabs. */
export const inspectorTabs = ['summary', 'issues', 'history'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];
