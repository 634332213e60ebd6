package siemload.scenario;

import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;

/**
 * How the values of a search are drawn. As thread-safe as its randomness.
 *
 * @param popularity how popular they are
 * @param listLength how many of a search that asks for a list, 1 or more
 * @param random what they are drawn by; each search that is drawn moves it on
 */
public record DrawRule(Popularity popularity, int listLength, SeededRandom random) {}
