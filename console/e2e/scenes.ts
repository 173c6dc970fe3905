/** Every page in every state that the tests look at. */
import type { Scene } from "./scene.ts";
import { accountScenes } from "./scenes-account.ts";
import { appScenes } from "./scenes-apps.ts";
import { developerScenes } from "./scenes-developer.ts";

export const scenes: Record<string, Scene> = { ...accountScenes, ...developerScenes, ...appScenes };
