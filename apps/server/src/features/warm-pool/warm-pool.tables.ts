/** How many booted devices of a recipe to hold ready in a zone, between a minimum and a maximum, as starts are expected. */
export interface WarmPoolTable {
  recipe_uuid: string;
  zone: string;
  least: number;
  most: number;
}

declare module "../../database/schema.ts" {
  interface Schema {
    warm_pools: WarmPoolTable;
  }
}
