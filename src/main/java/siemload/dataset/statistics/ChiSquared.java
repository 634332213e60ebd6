package siemload.dataset.statistics;

import org.hipparchus.special.Gamma;

/** The chi-squared distribution. Stateless. */
final class ChiSquared {
    private ChiSquared() {}

    /** The probability of at least this much by chance; 1 without degrees of freedom. */
    static double above(double sum, int degreesOfFreedom) {
        return degreesOfFreedom < 1 || sum <= 0 ? 1 : Gamma.regularizedGammaQ(degreesOfFreedom / 2.0, sum / 2);
    }
}
