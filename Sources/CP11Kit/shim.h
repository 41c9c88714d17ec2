#include <p11-kit/p11-kit.h>
#include <p11-kit/iter.h>
#include <p11-kit/pin.h>
#include <p11-kit/uri.h>
