// What there is one of while the page is open: App.svelte makes it, its components find it with `getApp`.

import { createContext } from "svelte";
import { AnswerCache } from "../net/answerCache";
import { TableCreator } from "../net/tableCreator";
import { Announcer } from "./announcer.svelte";
import { DrawingKit } from "./drawings.svelte";
import { FocusTrail } from "./focusTrail";
import { PublicOrigin } from "./publicOrigin.svelte";
import { TutorialProgress } from "./storage/tutorialProgress.svelte";

export class AppContext {
  readonly announcer = new Announcer();
  readonly focusTrail = new FocusTrail();
  readonly kit = new DrawingKit();
  readonly publicOrigin = new PublicOrigin();
  readonly tableCreator = new TableCreator();
  /** What the almanac has told. */
  readonly ruleAnswers = new AnswerCache();
  readonly tutorialProgress = new TutorialProgress();
}

export const [getApp, setApp] = createContext<AppContext>();
