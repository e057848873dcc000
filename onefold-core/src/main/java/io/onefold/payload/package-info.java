/** The form of requests and results outside the JVM: fingerprints to compare, payloads to store and seals over both. */
@NullMarked
package io.onefold.payload;

import org.jspecify.annotations.NullMarked;
