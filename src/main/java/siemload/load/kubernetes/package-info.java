/** Injectors as the pods of a Job in a Kubernetes cluster: the only package that sees fabric8's client. */
@NullMarked
package siemload.load.kubernetes;

import org.jspecify.annotations.NullMarked;
