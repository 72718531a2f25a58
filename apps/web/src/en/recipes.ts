export const recipes = {} as const;
