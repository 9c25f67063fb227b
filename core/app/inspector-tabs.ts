/** What the inspector beside the editor can show, in the order of its tabs. */
export const inspectorTabs = ['summary', 'issues', 'history'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** The inspector's least, usual and greatest width, in CSS pixels. */
export const inspectorWidth = { least: 240, usual: 320, most: 720 } as const;
