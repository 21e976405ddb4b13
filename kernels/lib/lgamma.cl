// SPDX-License-Identifier: MIT
//
// lgamma, lgamma_r. The specification asks nothing of their accuracy.
//
// Up to 3.5 lgamma(2 + d) for |d| <= 1/2 by a polynomial, and one step of the recurrence; beyond by Stirling's series. Negative
// numbers by reflection: lgamma(-m) = -log(m sin(pi m) / pi) - lgamma(m). These cancel beside the zeros, of which there are two
// between each two integers, the more nearly at an integer the larger they are. There a series in the distance from the zero,
// which is stored in three numbers, takes their place. Floats are computed in double, doubles in two numbers. Errors: below 1 ulp.
#include "math.h"
#include "pair.h"
#include "power.h"

/** The largest number whose result is finite. */
#define LARGEST_ARGUMENT 0x1.754d9278b51a7p+1014

/**
 * The zeros from -2 to -18: for each integer n the zero nearer to it, then the one nearer to -n - 1. A
 * zero in three numbers; the slope s there, its upper half and the rest; b of lgamma(zero + t) = v + v^2 (b[0] + b[1] v + ...)
 * with v = s t. Relative error 2^-55 up to 2^-5, 2^-40 up to 2^-4.
 */
#define NUMBERS_OF_ZERO 15
static __constant double ZEROS[31 * NUMBERS_OF_ZERO] = {
    -0x1.3a7fc9600f86cp+1, -0x1.55f64f98af8d0p-55, -0x1.c4b0cd201366ap-110, 0x1.83fe960000000p+0, 0x1.abd4d7b44537bp-26, 0x1.0eb91054770a8p+1, 0x1.9f1b556db5f28p-2, 0x1.a7288797783eep+0, 0x1.735d765aa6d61p-1, 0x1.062bc8ed79444p+1, 0x1.4f01cff51eebbp+0, 0x1.7a0ca3646f39ep+1, 0x1.315bb819614c0p+1, 0x1.29e4f7e1bfbdbp+2, 0x1.0f0a9e0494806p+2,
    -0x1.5fb410a1bd901p+1, 0x1.a19a96d2e6f85p-54, 0x1.140b4ff4b7d60p-108, -0x1.ea12da8000000p+0, -0x1.04b18c48804c4p-28, 0x1.4e6fec3df1063p+1, 0x1.6ea32b64a5dffp+1, 0x1.2a70cfa3fea48p+2, 0x1.e4d3a39165861p+2, 0x1.a498030feb4b3p+3, 0x1.746b0d78a9070p+4, 0x1.51883475db464p+5, 0x1.369ebcd05ce2dp+6, 0x1.23c9235e75f3bp+7, 0x1.04d172a32d524p+8,
    -0x1.9260dbc9e59afp+1, -0x1.f717cd335a7b3p-53, -0x1.d32a2a65bfd63p-107, 0x1.f20a658000000p+2, 0x1.cbeb153716d39p-24, 0x1.b4cb6c958ac9cp-2, 0x1.e7e7b6a7b35d9p-3, 0x1.48def700c1110p-3, 0x1.d65e4e72b4786p-4, 0x1.5edbb32b40144p-4, 0x1.0d25c97b15734p-4, 0x1.a58c9d8da21bdp-5, 0x1.4f5d21d51fb1bp-5, 0x1.0e9f7942a30d9p-5, 0x1.b6e0ea8d9daf0p-6,
    -0x1.fa471547c2fe5p+1, -0x1.70d4561291237p-56, 0x1.9e6fadbbc171ap-111, -0x1.4b99d90000000p+4, -0x1.9b1591a6345dcp-22, 0x1.2c0b9b2eb673dp-1, 0x1.ad2201ab539f3p-2, 0x1.5b6200c8b1380p-2, 0x1.2bf0db4fb6f21p-2, 0x1.0dc56bf61d73ap-2, 0x1.f3231b69ca95bp-3, 0x1.d760697d40835p-3, 0x1.c43b876f371bap-3, 0x1.b86ffb96af133p-3, 0x1.adb13e55b53d2p-3,
    -0x1.0284e78599581p+2, 0x1.e78c1e9e43cfep-53, -0x1.2ac17bfd6be92p-108, 0x1.aca5cf0000000p+4, 0x1.2485908d23517p-22, 0x1.ce9f2b5f92849p-2, 0x1.2312f87f1f992p-2, 0x1.9e0bca81575eep-3, 0x1.3a1bea5131290p-3, 0x1.f0728e3c8844dp-4, 0x1.9386710492f95p-4, 0x1.4ed40ae9203b4p-4, 0x1.1a3d1423a001cp-4, 0x1.e2be417d8a6b0p-5, 0x1.9e953c211545ap-5,
    -0x1.3f7577a6eeafdp+2, 0x1.5de5eab7f12cfp-53, -0x1.4075f5e0494a2p-110, -0x1.d224a38000000p+6, -0x1.be7907d9be273p-20, 0x1.07b9fac2b2be1p-1, 0x1.64c88a2724acdp-2, 0x1.0f90c0a7b2a8bp-2, 0x1.b8f6c6fb7860cp-3, 0x1.74eec726c4e8bp-3, 0x1.446898ebf1c13p-3, 0x1.2013a57dca7d5p-3, 0x1.03e08b67c2247p-3, 0x1.dbd66187c6bb5p-4, 0x1.b4f5ab06e4e79p-4,
    -0x1.4086a57f0b6d9p+2, -0x1.95262b72ca9cap-55, -0x1.bd98d5e0861aap-109, 0x1.ed72e08000000p+6, 0x1.4d700f011f3d3p-25, 0x1.f23fe7a0b9833p-2, 0x1.47928f4fb1c7cp-2, 0x1.e4aa3b6bd9127p-3, 0x1.7e732b624affbp-3, 0x1.3a5dd01f1332cp-3, 0x1.09c94048ab073p-3, 0x1.cac9dd5e81ba6p-4, 0x1.92426767dce49p-4, 0x1.65e319892bd59p-4, 0x1.3f8c016d6e13dp-4,
    -0x1.7fe92f591f40dp+2, -0x1.7dd4ed62cbd32p-52, 0x1.2071c071a2146p-108, -0x1.661f6a0000000p+9, -0x1.0e978490c437cp-17, 0x1.01585dff1f613p-1, 0x1.58062b115e22ap-2, 0x1.02b1bd0427907p-2, 0x1.9efee30116f2cp-3, 0x1.5abc6eeedf903p-3, 0x1.29fb33a4644e7p-3, 0x1.056a9d6665407p-3, 0x1.d1f65037cd036p-4, 0x1.a56b9b018401bp-4, 0x1.7e62c18d01ee6p-4,
    -0x1.8016b25897c8dp+2, 0x1.27e0f49a4ba72p-54, -0x1.72e1ab15a4d03p-110, 0x1.69de498000000p+9, 0x1.8ebcaa86552dap-17, 0x1.fd5ce4806d18ep-2, 0x1.52b2502bc3287p-2, 0x1.fabbb36aca0bbp-3, 0x1.945709fd41782p-3, 0x1.501481f13158fp-3, 0x1.1f53311b67d43p-3, 0x1.f5850b33d2b78p-4, 0x1.bca5dd91ac32ep-4, 0x1.900c30e795173p-4, 0x1.69229cc4666aap-4,
    -0x1.bffcbf76b86f0p+2, 0x1.853b29347b806p-57, -0x1.0fa018051dd41p-111, -0x1.3abf7a0000000p+12, -0x1.73aa46d8257b9p-14, 0x1.00347f15911e1p-1, 0x1.55be54b4964b2p-2, 0x1.006904c0f22a8p-2, 0x1.9a6baddf9eaf6p-3, 0x1.5627746388103p-3, 0x1.256472e0ef3a1p-3, 0x1.00d2166977f9bp-3, 0x1.c8c1aadff7eedp-4, 0x1.9c2cfd1a31780p-4, 0x1.752e42a7b1736p-4,
    -0x1.c0033fdedfe1fp+2, 0x1.20bb7d2324678p-52, 0x1.f5536678d69d3p-106, 0x1.3b407a8000000p+12, 0x1.1c3de89da1e57p-15, 0x1.ff975084e3836p-2, 0x1.54eca70aeb13cp-2, 0x1.ff2eae1f6b27fp-3, 0x1.98c8526c8b3c6p-3, 0x1.548418de5b2f0p-3, 0x1.23c117487c594p-3, 0x1.fe5d760aa1c5ap-4, 0x1.c57af13478cd5p-4, 0x1.98e3fe72b3c4ep-4, 0x1.71ea1aa438733p-4,
    -0x1.ffff97f8159cfp+2, -0x1.e54f415a91586p-55, -0x1.53a5d106f9a3ep-109, -0x1.3af76f8000000p+15, -0x1.930beacbe6498p-11, 0x1.0006f5c88a13ep-1, 0x1.556340edddce9p-2, 0x1.000debb0c0f80p-2, 0x1.99b5712b8ed9dp-3, 0x1.55712d1b0b5edp-3, 0x1.24ae21036a2afp-3, 0x1.001bba15f83b5p-3, 0x1.c754dbdd6d2b0p-4, 0x1.9abf1c1e9e4f2p-4, 0x1.73c267e666d31p-4,
    -0x1.000034028b3f9p+3, -0x1.f60cb3cec1cedp-52, 0x1.ea26620d6b1cap-106, 0x1.3b088f8000000p+15, 0x1.b59dc5eafa9ecp-11, 0x1.fff215c59e263p-2, 0x1.55476b2265a3bp-2, 0x1.ffe42bca88c29p-3, 0x1.997dc5948bf35p-3, 0x1.55398183fcccep-3, 0x1.2476756c58f20p-3, 0x1.ffc81d112b029p-4, 0x1.c6e58466634f6p-4, 0x1.9a4f778d8c23bp-4, 0x1.735367ca0feabp-4,
    -0x1.1ffffa3884bd0p+3, -0x1.ff90c9d2ae925p-53, 0x1.30c0efef78c04p-107, -0x1.625edf8000000p+18, -0x1.18f6cbb12c01ep-8, 0x1.0000d037a0d2ap-1, 0x1.5556f5c4b6787p-2, 0x1.0001a06fb5bd6p-2, 0x1.999cda79b02b0p-3, 0x1.55589639638d5p-3, 0x1.249589f1fd25ap-3, 0x1.000322d90e10dp-3, 0x1.c723acdb4d0d3p-4, 0x1.9a8dcaad31c02p-4, 0x1.73915ebd73ea3p-4,
    -0x1.200005c7768fbp+3, -0x1.b5b610ffb70d4p-54, -0x1.deb7ad09ec5eap-108, 0x1.6261200000000p+18, 0x1.c8ca200beaf41p-9, 0x1.fffe5f954c2edp-2, 0x1.5553b4eac1012p-2, 0x1.fffcbf2b80888p-3, 0x1.999658c5c534dp-3, 0x1.555214857872cp-3, 0x1.248f083e130e8p-3, 0x1.fff9424c8e2a2p-4, 0x1.c716a96af96bdp-4, 0x1.9a80be39ee65bp-4, 0x1.73846582de380p-4,
    -0x1.3fffff6c0d7c0p+3, 0x1.197cea8c42d7dp-51, 0x1.7072c5a292198p-105, -0x1.baf7da0000000p+21, -0x1.7cde57516a795p-5, 0x1.000015befa07fp-1, 0x1.555580d349c92p-2, 0x1.00002b7df54d4p-2, 0x1.9999f09587c92p-3, 0x1.5555ac54939b4p-3, 0x1.2492a00c8627dp-3, 0x1.000038f371eefp-3, 0x1.c71dd909f2e27p-4, 0x1.9a87f2d17a2e3p-4, 0x1.738b8f7bf10fep-4,
    -0x1.40000093f2777p+3, -0x1.927b45d95e154p-52, -0x1.0780c21b6e452p-106, 0x1.baf8258000000p+21, 0x1.0631d8f6fe6e0p-6, 0x1.ffffd48218600p-2, 0x1.555529d76e192p-2, 0x1.ffffa904333abp-3, 0x1.9999429dd0694p-3, 0x1.5554fe5cdc380p-3, 0x1.2491f214cee02p-3, 0x1.ffff15f7b21e2p-4, 0x1.c71c7d19a1207p-4, 0x1.9a8695f0381dfp-4, 0x1.738a349c9aa66p-4,
    -0x1.5ffffff28cdd4p+3, 0x1.c9924a65aa486p-53, -0x1.8d05a4e458063p-108, -0x1.308a7d8000000p+25, -0x1.d5b6f7cad4b3fp-4, 0x1.0000020da6ac0p-1, 0x1.55555970a2ae4p-2, 0x1.0000041b4d482p-2, 0x1.9999a1d035ea2p-3, 0x1.55555d8f3fe61p-3, 0x1.2492514730aa7p-3, 0x1.ffffd45c50c2ap-4, 0x1.c71d3b7ed9b58p-4, 0x1.9a8754d9450f0p-4, 0x1.738af26c6b25ap-4,
    -0x1.6000000d7322ap+3, -0x1.8aecb2d37ff52p-51, -0x1.c97d472001b98p-109, 0x1.308a820000000p+25, 0x1.c54913eedcc4dp-1, 0x1.fffffbe4b2c3ep-2, 0x1.5555513a081a3p-2, 0x1.fffff7c965681p-3, 0x1.9999916300c1fp-3, 0x1.55554d220abd9p-3, 0x1.249240d9fb849p-3, 0x1.ffffb381ec34dp-4, 0x1.c71d1aa459f5dp-4, 0x1.9a8733e805411p-4, 0x1.738ad1abb2030p-4,
    -0x1.7ffffffee1127p+3, -0x1.ce1f7906b30f5p-54, 0x1.b43a13e31b9dfp-111, -0x1.c8cfbf8000000p+28, -0x1.795863e816bfep+1, 0x1.0000002d4c753p-1, 0x1.555555afee3fcp-2, 0x1.0000005a98d78p-2, 0x1.99999a4ecd04cp-3, 0x1.5555560dd6fc5p-3, 0x1.249249c5c7bdbp-3, 0x1.ffffc55981807p-4, 0x1.c71d2c7bfdfdfp-4, 0x1.9a8745cc043a4p-4, 0x1.738ae3755659fp-4,
    -0x1.800000011eed9p+3, 0x1.19d5307e1fb5ep-53, 0x1.8f0dbe4153150p-109, 0x1.c8cfc00000000p+28, 0x1.4353cde810f8ep+2, 0x1.ffffffa56715cp-2, 0x1.555554fabc6b2p-2, 0x1.ffffff4ace05bp-3, 0x1.999998e4695b7p-3, 0x1.555554a373530p-3, 0x1.2492485b64149p-3, 0x1.ffffc284baacfp-4, 0x1.c71d29a734d27p-4, 0x1.9a8742f545297p-4, 0x1.738ae0a2c5d36p-4,
    -0x1.9fffffffe9edcp+3, 0x1.84f40342d001cp-51, 0x1.50556e5aede66p-105, -0x1.7328cb8000000p+32, -0x1.eb2d3947aba1dp+6, 0x1.0000000397333p-1, 0x1.5555555c83bbbp-2, 0x1.000000072e537p-2, 0x1.999999a7f7fc9p-3, 0x1.5555556701f42p-3, 0x1.2492491ef2b59p-3, 0x1.ffffc40bd7aa7p-4, 0x1.c71d2b2e5313bp-4, 0x1.9a87447d72418p-4, 0x1.738ae228b1389p-4,
    -0x1.a000000016124p+3, -0x1.84e03341ee8ddp-51, 0x1.f8391fef50bd4p-105, 0x1.7328cc0000000p+32, 0x1.4d2c6b8270f17p+2, 0x1.fffffff8d199ap-2, 0x1.5555554e26eefp-2, 0x1.fffffff1a30d5p-3, 0x1.9999998b3e630p-3, 0x1.5555554a485a9p-3, 0x1.24924902391c0p-3, 0x1.ffffc3d264816p-4, 0x1.c71d2af4dfbb1p-4, 0x1.9a874443d7207p-4, 0x1.738ae1ef6af2ep-4,
    -0x1.bffffffffe6c7p+3, 0x1.d2a30f3dae0fbp-51, 0x1.774491db8dc05p-107, -0x1.44c3b20000000p+36, -0x1.fea9af0232e58p+10, 0x1.0000000043758p-1, 0x1.55555555dc404p-2, 0x1.0000000086d80p-2, 0x1.9999999aa905bp-3, 0x1.55555559b2fd4p-3, 0x1.24924911a3bebp-3, 0x1.ffffc3f139c16p-4, 0x1.c71d2b13b5149p-4, 0x1.9a874462c1d3ep-4, 0x1.738ae20e281b7p-4,
    -0x1.c000000001939p+3, -0x1.d2a2f4a73af63p-51, 0x1.1ce11583b5fc3p-105, 0x1.44c3b28000000p+36, 0x1.5650fdcce579fp+2, 0x1.ffffffff79151p-2, 0x1.55555554ce6a6p-2, 0x1.fffffffef2043p-3, 0x1.999999988d59ep-3, 0x1.5555555797517p-3, 0x1.2492490f8812ep-3, 0x1.ffffc3ed026a8p-4, 0x1.c71d2b0f7dba3p-4, 0x1.9a87445e878e1p-4, 0x1.738ae209f40ffp-4,
    -0x1.dfffffffffe52p+3, 0x1.fcf9ccfd8867ep-51, 0x1.1c0ec5919506cp-105, -0x1.3077770000000p+40, -0x1.5fea12679aa76p+14, 0x1.00000000049c0p-1, 0x1.555555555e8d5p-2, 0x1.0000000009251p-2, 0x1.99999999ad9fdp-3, 0x1.55555558b7976p-3, 0x1.24924910a858dp-3, 0x1.ffffc3ef42f5ep-4, 0x1.c71d2b11be478p-4, 0x1.9a874460c9aa9p-4, 0x1.738ae20c32d8ep-4,
    -0x1.e0000000001aep+3, -0x1.fcf9ccde87210p-51, -0x1.f0bd3dc636171p-105, 0x1.3077770000000p+40, 0x1.6015ed9865587p+14, 0x1.fffffffff6c80p-2, 0x1.555555554c1d5p-2, 0x1.ffffffffed6a2p-3, 0x1.9999999988bfdp-3, 0x1.5555555892b76p-3, 0x1.249249108378dp-3, 0x1.ffffc3eef935fp-4, 0x1.c71d2b1174875p-4, 0x1.9a8744607fb76p-4, 0x1.738ae20be9529p-4,
    -0x1.fffffffffffe5p+3, -0x1.80c18cc43ea26p-53, 0x1.8d1b2eec9d961p-108, -0x1.3077770000000p+44, -0x1.5ffe992679aa7p+18, 0x1.00000000004b7p-1, 0x1.5555555555ec3p-2, 0x1.000000000083fp-2, 0x1.999999999c5d8p-3, 0x1.55555558a6551p-3, 0x1.2492491097168p-3, 0x1.ffffc3ef20716p-4, 0x1.c71d2b119bc2ep-4, 0x1.9a874460a70e1p-4, 0x1.738ae20c106f5p-4,
    -0x1.000000000000dp+4, -0x1.cfe7ce6768509p-50, -0x1.7f27723e2ef9fp-105, 0x1.3077770000000p+44, 0x1.600166d986559p+18, 0x1.ffffffffff692p-2, 0x1.5555555554be7p-2, 0x1.fffffffffeac6p-3, 0x1.999999999a021p-3, 0x1.55555558a3f9ap-3, 0x1.2492491094bb1p-3, 0x1.ffffc3ef1bba8p-4, 0x1.c71d2b11970bfp-4, 0x1.9a874460a253ep-4, 0x1.738ae20c0bbc1p-4,
    -0x1.0ffffffffffffp+4, -0x1.ab4e23f3d49f1p-51, 0x1.dcafbae8ffbabp-107, -0x1.437eee8000000p+48, -0x1.35ffe919ef223p+22, 0x1.0000000000048p-1, 0x1.55555555555e6p-2, 0x1.ffffffffffec4p-3, 0x1.999999999b41fp-3, 0x1.55555558a5398p-3, 0x1.2492491095fafp-3, 0x1.ffffc3ef1e3a3p-4, 0x1.c71d2b11998bap-4, 0x1.9a874460a4d55p-4, 0x1.738ae20c0e39dp-4,
    -0x1.1000000000001p+4, 0x1.ab4e23f3d4bbcp-51, -0x1.db2968e993b05p-106, 0x1.437eee8000000p+48, 0x1.360016e610dddp+22, 0x1.fffffffffff6fp-2, 0x1.55555555554c4p-2, 0x1.ffffffffffc80p-3, 0x1.999999999b1dbp-3, 0x1.55555558a5154p-3, 0x1.2492491095d6bp-3, 0x1.ffffc3ef1df1bp-4, 0x1.c71d2b1199432p-4, 0x1.9a874460a48cap-4, 0x1.738ae20c0df19p-4,
};

/** Beside a zero. */
RARE static double lgamma_near_zero(double x) {
  double m = at_most_f64(-x, 17.25);
  double whole = trunc(m);
  uint row = ((uint)whole - 2u) * 2u + (m - whole > 0.6 ? 1u : 0u);
  __constant double *zero = ZEROS + row * NUMBERS_OF_ZERO;
  Pair t = pair(x - zero[0], -zero[1]);
  t.low -= zero[2];
  double slope = zero[3];
  double slope_low = zero[4];
  double v = (t.high + t.low) * (slope + slope_low);
  double series = 0.0;
  for (int i = NUMBERS_OF_ZERO - 1; i >= 5; i--) series = zero[i] + v * series;
  return t.high * slope + (t.high * slope_low + t.low * (slope + slope_low) + v * v * series);
}

/** The results where no formula holds; `sign` is that of the gamma function, 0 at its poles. */
static inline double lgamma_special(double x, double y, int *sign) {
  bool pole = x <= 0.0 && trunc(x) == x;
  // Between -1 and 0 it is negative, between -2 and -1 positive, and so on.
  double half_whole = 0.5 * trunc(x);
  int s = x < 0.0 && trunc(half_whole) == half_whole ? -1 : 1;
  *sign = pole ? 0 : s;
  y = fabs(x) > LARGEST_ARGUMENT || pole ? INF_F64 : y;
  return x != x ? x : y;
}

/** Which formula a magnitude m up to 3.5 takes: lgamma(m) = lgamma(2 + d) with d = m - whole, -+ log of another number. */
static inline double nearest_whole(double m) {
  return m < 1.5 ? (m < 0.5 ? 0.0 : 1.0) : m < 2.5 ? 2.0 : 3.0;
}

/** For floats: lgamma(m) of m > 0. */
static inline double lgamma_positive(double m) {
  if (m >= 3.5) {
    double u = 1.0 / m;
    double z = u * u;
    double series = 0x1.55555519fcd61p-4 + z * (-0x1.6c11d4f59346dp-9 + z * (0x1.9c89a85d3c322p-11 + z * -0x1.f114d8a343b89p-12));
    return (m - 0.5) * (log(m) - 1.0) + (0x1.acfe390c97d69p-2 + series * u);
  }
  double whole = nearest_whole(m);
  double d = m - whole;
  double factor = m < 0.5 ? m + m * m : m < 1.5 ? m : m < 2.5 ? 1.0 : m - 1.0;
  double l = log(factor);
  return d * (0x1.b0ee607074f52p-2 + d * (0x1.4a34cc5c726ddp-2 + d * (-0x1.13dffc7eb8fe4p-4 + d * (0x1.5131e78d35a11p-6 + d * (-0x1.e40f555158674p-8 + d * (0x1.7b00e7fbb0c56p-9 + d * (-0x1.36e0266a3b03ep-10 + d * (0x1.0767078fa69ddp-11 + d * (-0x1.0a1350ae0c328p-12 + d * 0x1.faa0a6f656588p-14))))))))) + (m < 2.5 ? -l : l);
}
static inline double lgamma_in_double(double x, int *sign) {
  double m = fabs(x);
  double y = lgamma_positive(m);
  if (x < 0.0) {
    double r = m - rint(m);
    double z = r * r;
    double ratio = 0x1.0000000000000p+0 + z * (-0x1.a51a661404117p+0 + z * (0x1.9f9cacbd4e757p-1 + z * (-0x1.86a6de3628ff3p-3 + z * (0x1.abe8ee4a21c27p-6 + z * -0x1.253a4dd7cb2b0p-9))));
    y = -log(m * fabs(r) * ratio) - y;
    if (fabs(y) < 0x1.0p-4 && x < -2.0) y = lgamma_near_zero(x);
  }
  return lgamma_special(x, y, sign);
}
float __anycl_lgamma_f32(float x) {
  int sign;
  return (float)lgamma_in_double((double)x, &sign);
}
float __anycl_lgamma_r_f32(float x, __private int *sign) {
  int s;
  float y = (float)lgamma_in_double((double)x, &s);
  *sign = s;
  return y;
}

/** a + b for |a| >= |b| or a = 0. */
static inline Pair plus(Pair a, Pair b) {
  double sum = a.high + b.high;
  return pair(sum, ((a.high - sum) + b.high) + (a.low + b.low));
}

/** sin(pi r) / (pi r) for |r| <= 1/2; relative error 2^-61 */
static inline Pair sine_ratio(double r) {
  Pair p = pair(r, 0.0);
  Pair z = times(p, p);
  double square = r * r;
  Pair one = {1.0, 0.0};
  Pair first = {-0x1.a51a660p+0, -0x1.2983e991873d9p-27};
  double tail = square * (-0x1.86a8e4720db5ep-3 + square * (0x1.ac6805cf3412bp-6 + square * (-0x1.33816aa3b3696p-9 + square * (0x1.3747197bd06c8p-13 + square * (-0x1.d4242e4ae83dcp-18 + square * (0x1.0fafc3d35ae80p-22 + square * -0x1.e88342daf5fb2p-28))))));
  Pair second = pair(0x1.9f9cb40p-1, 0x1.5e236290f59b2p-32 + tail);
  return plus(one, times(z, plus(first, times(z, second))));
}

/** log(x + x_low) of a positive finite x, and an x_low below its last bit. */
static inline Pair log_pair(double x, double x_low) {
  LogParts l = log_parts_f64(x);
  double first = l.e * 0x1.62e42feep-1 + as_double(l.above & as_ulong(0x1.62c82f28p-2));
  double rest = l.low + (l.e * 0x1.a39ef35793c76p-33 + as_double(l.above & as_ulong(0x1.ce3ca97b7af91p-33)) + x_low / x);
  double sum = first + l.high;
  return pair(sum, ((first - sum) + l.high) + rest);
}

/** lgamma(2 + d) for |d| <= 1/2: the first two terms of its quotient by d in two numbers. */
static inline Pair lgamma_middle(double d) {
  double tail = d * d * (-0x1.13e001a557609p-4 + d * (0x1.51322ac7d84a3p-6 + d * (-0x1.e404fc218dbfep-8 + d * (0x1.7add6eadb2d56p-9 + d * (-0x1.38ac5c2d58059p-10 + d * (0x1.0b36af8813a66p-11 + d * (-0x1.d3fd4b5732a56p-13 + d * (0x1.a127afd3e17f4p-14 + d * (-0x1.78de9e4d751ecp-15 + d * (0x1.580e0912b8f01p-16 + d * (-0x1.3cb352bf8c50ep-17 + d * (0x1.258fc4a2fed4cp-18 + d * (-0x1.127df4270a1bfp-19 + d * (0x1.0113aa525d51bp-20 + d * (-0x1.cd9b00fd9ba28p-22 + d * (0x1.b4fc62f5bf4afp-23 + d * (-0x1.20ebd096ed49ap-23 + d * 0x1.1031fd9a6657cp-24)))))))))))))))));
  double upper = upper_f64(d);
  double p = upper * 0x1.4a34cc0000000p-2;
  double sum = 0x1.b0ee6072093cep-2 + p;
  double rest = ((0x1.b0ee6072093cep-2 - sum) + p) + (upper * 0x1.2983e991873d9p-28 + (d - upper) * 0x1.4a34cc4a60fa6p-2 + 0x1.6cb90701fbfabp-58 + tail);
  return times(pair(sum, rest), pair(d, 0.0));
}

/** lgamma(m) of m > 0. */
static inline Pair lgamma_positive_pair(double m) {
  bool large = m >= 3.5;
  double factor = m;
  double factor_low = 0.0;
  Pair other;
  if (large) {
    Pair half_log_2pi = {0x1.acfe390p-2, 0x1.92fad29a4a5e5p-31};
    Pair first;
    first.high = quotient_f64(0x1.5555555555555p-4, 0x1.5555555555555p-58, m, 0.0, &first.low);
    double u = 12.0 * (first.high + first.low);
    double z = u * u;
    first.low += u * z * (-0x1.6c16c16c12157p-9 + z * (0x1.a01a017c69985p-11 + z * (-0x1.381367891dc3dp-11 + z * (0x1.b94835a6f9aedp-11 + z * (-0x1.f592102be3701p-10 + z * (0x1.99bbeb8fc9597p-8 + z * (-0x1.a11f0e09dec00p-6 + z * (0x1.a992849f93a35p-4 + z * (-0x1.4b4550f459df9p-2 + z * 0x1.09741de8ce45cp-1)))))))));
    other = plus(half_log_2pi, first);
  } else {
    other = lgamma_middle(m - nearest_whole(m));
    // m + m^2 below 1/2, of which the square is the smaller one
    double upper = upper_f64(m);
    double square = upper * upper;
    double sum = m + square;
    double rest = ((m - sum) + square) + (m - upper) * (m + upper);
    double both = sum + rest;
    bool below_half = m < 0.5;
    factor = below_half ? both : m < 1.5 ? m : m < 2.5 ? 1.0 : m - 1.0;
    factor_low = below_half ? (sum - both) + rest : 0.0;
  }
  Pair l = log_pair(factor, factor_low);
  if (large) {
    // m - 1/2 is rounded beyond 2^53.
    double a = m - 0.5;
    l.high -= 1.0;
    l = times(pair(a, (m - a) - 0.5), l);
  } else {
    double sign = m < 2.5 ? -1.0 : 1.0;
    l.high *= sign;
    l.low *= sign;
  }
  return plus(l, other);
}
static inline double lgamma_f64(double x, int *sign) {
  double m = fabs(x);
  Pair positive = lgamma_positive_pair(m);
  double y = positive.high + positive.low;
  // Below, -log(m) is the result for both signs.
  if (x < -0x1.0p-60) {
    double r = m - rint(m);
    Pair product = times(times(pair(m, 0.0), pair(fabs(r), 0.0)), sine_ratio(r));
    double first = product.high + product.low;
    Pair l = log_pair(first, (product.high - first) + product.low);
    double sum = l.high + positive.high;
    double back = sum - l.high;
    double lost = (l.high - (sum - back)) + (positive.high - back);
    y = -(sum + (lost + (l.low + positive.low)));
    if (fabs(y) < 0x1.0p-5 && x < -2.0) y = lgamma_near_zero(x);
  }
  return lgamma_special(x, y, sign);
}
double __anycl_lgamma_f64(double x) {
  int sign;
  return lgamma_f64(x, &sign);
}
double __anycl_lgamma_r_f64(double x, __private int *sign) {
  int s;
  double y = lgamma_f64(x, &s);
  *sign = s;
  return y;
}
